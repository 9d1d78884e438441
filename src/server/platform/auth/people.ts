// The people of the store's team by their e-mail addresses, as logs name them.
import type { Context } from '../context.ts';

/** E-mail -> "First Last"; removed members too, because their entries stay. */
export async function usersByEmail({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>): Promise<Map<string, string>> {
  const users = await trx.selectFrom('users').select(['email', 'first_name', 'last_name']).where('store_id', '=', storeId).execute();
  return new Map(users.map(user => [user.email, `${user.first_name} ${user.last_name}`.trim() || user.email]));
}
