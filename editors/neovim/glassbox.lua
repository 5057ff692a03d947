-- Glassbox in Neovim (0.7 or newer). Put this file into ~/.config/nvim/lua/ and call from init.lua:
--
--   require("glassbox").setup()
--
-- or, with another command or without keys:
--
--   require("glassbox").setup({ cmd = { "/opt/glassbox", "lsp" }, keys = false })

local M = {}

local defaults = {
  cmd = { "glassbox", "lsp" },
  filetypes = { "c", "java" },
  -- What tells the folder of a project.
  markers = { "glassbox.toml", "compile_commands.json", ".git" },
  -- <leader>gl runs the lens of the line, <leader>gk shows the verdict below the cursor.
  keys = true,
}

local function root_of(file, markers)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  local nearest = folder
  while true do
    for _, marker in ipairs(markers) do
      local path = nearest .. "/" .. marker
      if vim.fn.filereadable(path) == 1 or vim.fn.isdirectory(path) == 1 then
        return nearest
      end
    end
    local above = vim.fn.fnamemodify(nearest, ":h")
    if above == nearest then
      return folder
    end
    nearest = above
  end
end

local clients = {}

local function attach(options, buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  if file == "" then
    return
  end
  local root = root_of(file, options.markers)
  if not clients[root] then
    clients[root] = vim.lsp.start_client({
      name = "glassbox",
      cmd = options.cmd,
      root_dir = root,
      on_exit = function()
        clients[root] = nil
      end,
    })
  end
  if not clients[root] then
    return
  end
  vim.lsp.buf_attach_client(buffer, clients[root])
  vim.api.nvim_create_autocmd({ "BufEnter", "CursorHold", "InsertLeave" }, {
    buffer = buffer,
    callback = function()
      vim.lsp.codelens.refresh()
    end,
  })
  -- Value ranges beside the lines need Neovim 0.10.
  if vim.lsp.inlay_hint and vim.lsp.inlay_hint.enable then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
  if options.keys then
    vim.keymap.set("n", "<leader>gl", vim.lsp.codelens.run, { buffer = buffer, desc = "Glassbox: run the lens" })
    vim.keymap.set("n", "<leader>gk", vim.lsp.buf.hover, { buffer = buffer, desc = "Glassbox: the verdict here" })
    vim.keymap.set("n", "<leader>ga", vim.lsp.buf.code_action, { buffer = buffer, desc = "Glassbox: write a contract" })
  end
end

function M.setup(given)
  local options = vim.tbl_extend("force", defaults, given or {})
  vim.api.nvim_create_autocmd("FileType", {
    pattern = options.filetypes,
    callback = function(event)
      attach(options, event.buf)
    end,
  })
end

return M
