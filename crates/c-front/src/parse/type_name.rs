//! Type names: specifiers with an abstract declarator, as in casts and `sizeof`.

use super::cursor::{Parse, Parser};
use crate::check::declare::StorageClass;
use crate::diagnostics::TypeProblem;
use crate::ty::kind::TypeId;

impl Parser<'_> {
    pub(crate) fn type_name(&mut self) -> Parse<TypeId> {
        let specifiers = self.specifiers()?;
        if specifiers.storage != StorageClass::None {
            self.c.error(TypeProblem::BadStorage, specifiers.span);
        }
        let declarator = self.nested(Parser::declarator)?;
        if let Some((_, span)) = declarator.name {
            let name =
                self.c.program.name(declarator.name.map_or(self.c.well_known.unnamed, |n| n.0));
            let name = name.to_string();
            self.c.error(TypeProblem::NotAType { name }, span);
        }
        let attributes = self.attributes()?;
        self.attributes_of_nothing(specifiers.attributes);
        self.attributes_of_nothing(declarator.attributes);
        self.attributes_of_nothing(attributes);
        let ty = self.declared_type(specifiers.ty, &declarator);
        Ok(self.attributed_type(ty, attributes))
    }
}
