// What a store's loyalty app says of a customer's points, by the requests of its file.
import { at } from '../../../contract/paths.ts';
import type { IntegrationKind, LoyaltyKind } from '../../../contract/types/integration.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Context } from '../../platform/context.ts';
import { fullSettings, isThere, rowsOf } from '../../platform/integrations/store-integrations.ts';
import { OutgoingError, type OutgoingAnswer } from '../../platform/outgoing/outgoing.ts';
import type { Services } from '../../platform/services.ts';
import { vendorRequest } from './vendor.ts';

/** The app with what was entered, secrets in full. */
export interface LoyaltyApp {
  kind: IntegrationKind & { loyalty: LoyaltyKind };
  settings: JsonObject;
}
/** Something that points can be redeemed for. `value` is a percentage or an amount in the store's currency. */
export interface Reward {
  id: string;
  title: string;
  points: number;
  type: 'PERCENTAGE' | 'FIXED_AMOUNT' | 'FREE_SHIPPING';
  value: string | null;
}
type Scope = Pick<Context, 'trx' | 'definitions' | 'secrets'> & { storeId: number };
export type Asking = Pick<Services, 'outgoing' | 'config'>;

const hasPoints = (kind: IntegrationKind | undefined): kind is LoyaltyApp['kind'] => kind?.loyalty !== undefined;

/** The loyalty app of the store; a store has one at most. */
export async function loyaltyApp(scope: Scope): Promise<LoyaltyApp | undefined> {
  for (const [key, row] of await rowsOf(scope.trx, scope.storeId)) {
    const kind = scope.definitions.integrations[key];
    if (hasPoints(kind) && isThere(row)) return { kind, settings: (await fullSettings(scope, scope.storeId, kind, row)).settings };
  }
  return undefined;
}

/** The app did not answer, or in no form that could be read; whether it did what it was asked is not known. */
export class NoAnswer extends Error {}

/** Asks the app. @throws NoAnswer */
export async function askLoyalty(
  { outgoing, config }: Asking,
  { kind, settings }: LoyaltyApp,
  what: 'balance' | 'rewards' | 'redeem' | 'giveBack',
  about: JsonObject,
): Promise<{ status: number; data: JsonValue }> {
  const request = vendorRequest(kind, kind.loyalty[what], settings, config, about);
  let answer: OutgoingAnswer;
  try {
    answer = await outgoing.send({
      ...request,
      headers: { ...request.headers, ...(about.reference ? { 'idempotency-key': `${String(about.reference)}-${what}` } : {}) },
    });
  } catch (error) {
    if (error instanceof OutgoingError) throw new NoAnswer(error.message);
    throw error;
  }
  if (answer.status >= 500 || answer.status === 429) throw new NoAnswer(`It answered with status ${answer.status}.`);
  try {
    return { status: answer.status, data: answer.body ? (JSON.parse(answer.body) as JsonValue) : null };
  } catch {
    return { status: answer.status, data: null };
  }
}

const number = (value: JsonValue | undefined): number | null =>
  value !== null && value !== undefined && value !== '' && Number.isFinite(Number(value)) ? Number(value) : null;
const typeOf = (value: JsonValue | undefined): Reward['type'] =>
  /ship/i.test(String(value)) ? 'FREE_SHIPPING' : /percent/i.test(String(value)) ? 'PERCENTAGE' : 'FIXED_AMOUNT';

/** The points of a customer; 0 for a customer whom the app does not know. @throws NoAnswer */
export async function pointsOf(asking: Asking, app: LoyaltyApp, email: string): Promise<number> {
  const { status, data } = await askLoyalty(asking, app, 'balance', { customer: { email } });
  if (status === 404) return 0;
  const points = status < 300 ? number(at(data, app.kind.loyalty.points ?? 'points')) : null;
  if (points === null) throw new NoAnswer(`It answered with status ${status} and no points.`);
  return points;
}

/** What points can be redeemed for; rewards that are no discount are left out. @throws NoAnswer */
export async function rewardsOf(asking: Asking, app: LoyaltyApp, email: string): Promise<Reward[]> {
  const { status, data } = await askLoyalty(asking, app, 'rewards', { customer: { email } });
  const names = app.kind.loyalty.reward ?? {};
  const rows = status < 300 ? at(data, app.kind.loyalty.list ?? 'rewards') : undefined;
  if (!Array.isArray(rows)) throw new NoAnswer(`It answered with status ${status} and no rewards.`);
  return rows.flatMap((row): Reward[] => {
    const [id, title, points, value] = (['id', 'title', 'points', 'value'] as const).map(name => at(row, names[name] ?? name));
    const cost = number(points);
    const type = typeOf(at(row, names.type ?? 'type'));
    const amount = number(value);
    if (id === undefined || id === null || cost === null || (type !== 'FREE_SHIPPING' && !(amount !== null && amount > 0))) return [];
    return [{ id: String(id), title: String(title ?? id), points: cost, type, value: type === 'FREE_SHIPPING' ? null : String(amount) }];
  });
}
