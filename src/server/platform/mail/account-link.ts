// The page where customers ask for the link to their own pages: every letter about their subscriptions leads there.
/** The settings page by which a store has such pages. */
export const ACCESSIBILITY = 'portal-accessibility';
export const SIGN_IN_PATH = '/portal/:store';
export const signInPath = (storeId: number): string => SIGN_IN_PATH.replace(':store', String(storeId));
