// The modules that scripts/definitions-plugin.ts makes of the definition files.

declare module 'virtual:perennial/core' {
  export const core: import('./core.ts').Core;
}
declare module 'virtual:perennial/loaders' {
  type Load<T> = () => Promise<{ default: T }>;
  /** By route: "subscriptions/[id]". */
  export const resources: Record<string, Load<import('./types.ts').Resource>>;
  /** By kind and name: "entities/subscription", "settings/general", "common/address", "calls/subscription-contract.pause" (the call's whole input). */
  export const schemas: Record<string, Load<import('./types.ts').Schema>>;
  /** Compiled, for the same names (not for "common/..."). */
  export const validators: Record<string, Load<import('./validate.ts').Validator>>;
}
declare module 'virtual:perennial/resource/*' {
  const resource: import('./types.ts').Resource;
  export default resource;
}
declare module 'virtual:perennial/schema/*' {
  const schema: import('./types.ts').Schema;
  export default schema;
}
declare module 'virtual:perennial/validator/*' {
  const validator: import('./validate.ts').Validator;
  export default validator;
}
