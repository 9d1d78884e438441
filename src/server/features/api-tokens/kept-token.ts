// Where the value of a token is kept, sealed.
import type { SecretPlace } from '../../platform/outgoing/secret-box.ts';

export const TOKENS = 'api_tokens';
export const placeOf = (storeId: number, id: number): SecretPlace => ({ storeId, table: TOKENS, column: 'token', id });
