// The modules that scripts/definitions-plugin.ts makes of the definition files.

declare module 'virtual:perennial/core' {
  /** What the frame needs. */
  export const core: import('./core.ts').Core;
}
declare module 'virtual:perennial/catalogue' {
  /** All of it. */
  export const core: import('./core.ts').Core;
  type Loads<T> = import('./core.ts').Loads<T>;
  /** By route: "subscriptions/[id]". */
  export const resources: Loads<import('../contract/types.ts').Resource>;
  /** By kind and name: "entities/subscription", "settings/general", "common/address". */
  export const schemas: Loads<import('../contract/types.ts').Schema>;
  /** Compiled, for the same names (not for "common/..."). */
  export const validators: Loads<import('../contract/validation/validate.ts').Validator>;
  /** By table of calls: where the forms of its calls are found. There are many of them, and none is needed before an action is chosen. */
  export const forms: Loads<import('./core.ts').TableForms>;
}
declare module 'virtual:perennial/forms/*' {
  const forms: import('./core.ts').TableForms;
  export default forms;
}
declare module 'virtual:perennial/screen/*' {
  const start: import('./core-parts.ts').ScreenStart;
  export default start;
}
declare module 'virtual:perennial/resource/*' {
  const resource: import('../contract/types.ts').Resource;
  export default resource;
}
declare module 'virtual:perennial/schema/*' {
  const schema: import('../contract/types.ts').Schema;
  export default schema;
}
declare module 'virtual:perennial/validator/*' {
  const validator: import('../contract/validation/validate.ts').Validator;
  export default validator;
}
