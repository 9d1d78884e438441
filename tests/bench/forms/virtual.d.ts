declare module 'virtual:bench/ours' {
  import type { Validator } from '../../../src/contract/validation/validate.ts';
  const validators: Record<number, () => Promise<{ default: Validator }>>;
  export default validators;
}
declare module 'virtual:bench/mui' {
  const validators: Record<number, () => Promise<{ default: unknown }>>;
  export default validators;
}
