//! The verifier's frames, moved with their instructions.

use super::code::Plan;
use crate::classfile::ClassFileError;
use crate::classfile::cursor::Cursor;

/// A `StackMapTable` for the new places; `None` where the old one names places that are no instructions.
pub(super) fn moved(old: &[u8], plan: &Plan) -> Result<Option<Vec<u8>>, ClassFileError> {
    let mut cursor = Cursor::new(old);
    let n_frames = cursor.u16()?;
    let mut out = n_frames.to_be_bytes().to_vec();
    let mut old_at: Option<usize> = None;
    let mut new_at: Option<usize> = None;
    for _ in 0..n_frames {
        let kind = cursor.u8()?;
        let delta = match kind {
            0..=63 => u16::from(kind),
            64..=127 => u16::from(kind) - 64,
            247..=255 => cursor.u16()?,
            _ => return Err(cursor.error("a frame of unknown kind")),
        };
        let place = old_at.map_or(0, |at| at + 1) + usize::from(delta);
        let Some(label) = plan.label(place) else { return Ok(None) };
        let Some(delta) = label.checked_sub(new_at.map_or(0, |at| at + 1)) else { return Ok(None) };
        let Ok(delta) = u16::try_from(delta) else { return Ok(None) };
        (old_at, new_at) = (Some(place), Some(label));
        // Kinds with a delta of their own take any place.
        let kind = match kind {
            0..=63 => 251,
            64..=127 => 247,
            other => other,
        };
        out.push(kind);
        out.extend(delta.to_be_bytes());
        let n_types = match kind {
            247 => 1,
            252..=254 => usize::from(kind) - 251,
            255 => {
                for _ in 0..2 {
                    let n_types = cursor.u16()?;
                    out.extend(n_types.to_be_bytes());
                    for _ in 0..n_types {
                        if verification_type(&mut cursor, plan, &mut out)?.is_none() {
                            return Ok(None);
                        }
                    }
                }
                0
            }
            _ => 0,
        };
        for _ in 0..n_types {
            if verification_type(&mut cursor, plan, &mut out)?.is_none() {
                return Ok(None);
            }
        }
    }
    Ok(Some(out))
}

/// One type; objects that are not initialized yet are known by the place of their `new`.
fn verification_type(
    cursor: &mut Cursor<'_>,
    plan: &Plan,
    out: &mut Vec<u8>,
) -> Result<Option<()>, ClassFileError> {
    let tag = cursor.u8()?;
    out.push(tag);
    match tag {
        7 => out.extend(cursor.u16()?.to_be_bytes()),
        8 => {
            let place = plan.instruction(cursor.u16()?.into());
            let Some(place) = place.and_then(|place| u16::try_from(place).ok()) else {
                return Ok(None);
            };
            out.extend(place.to_be_bytes());
        }
        _ => {}
    }
    Ok(Some(()))
}
