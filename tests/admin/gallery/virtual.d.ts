declare module 'virtual:gallery/validators' {
  import type { Validator } from '../../../src/contract/validate.ts';
  const validators: Record<'widgets' | 'record' | 'pause', Validator>;
  export default validators;
}
