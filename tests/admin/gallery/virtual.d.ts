declare module 'virtual:gallery/validators' {
  import type { Validator } from '../../../src/contract/validation/validate.ts';
  const validators: Record<'widgets' | 'record' | 'pause', Validator>;
  export default validators;
}
