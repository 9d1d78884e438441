// The words of the definitions: what the JSON under schemas/ and resources/ may say, after loading ($refs resolved, defaults filled in).
export type * from './types/schema.ts';
export type * from './types/call.ts';
export type * from './types/catalogue.ts';
export type * from './types/action.ts';
export type * from './types/answer.ts';
export type * from './types/analytics.ts';
