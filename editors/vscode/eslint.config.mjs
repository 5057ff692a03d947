import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["out/**", "out-test/**", "node_modules/**"] },
  ...tseslint.configs.strict,
  { rules: { eqeqeq: "error", "no-console": "error" } },
);
