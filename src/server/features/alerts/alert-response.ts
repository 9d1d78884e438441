// An alert as the wire has it.
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Store } from '../../platform/context.ts';
import type { Finding, RecommendedAction } from './alert-check.ts';
import { checkFor, type AlertRow } from './raise.ts';
import { translated } from '../../../domain/text/t.ts';

/** An alert is checked by hand at most once in so long; what the job checked counts too. */
export const REFRESH_MS = 5 * 60_000;
export const mayRefresh = (row: AlertRow, now: Date): boolean =>
  row.status === 'OPEN' && now.getTime() - row.last_checked_at.getTime() >= REFRESH_MS;

const actionWire = (action: RecommendedAction | null): JsonValue =>
  action && { ...action, label: translated(action.label), text: translated(action.text) };

/** Amounts in the store's currency; instants in ISO. */
export function alertWire(row: AlertRow, store: Store, now: Date): JsonObject {
  const impact = row.impact as Partial<Finding['impact']>;
  const check = checkFor(row);
  return {
    id: row.id,
    typeKey: row.type_key,
    title: translated(row.title),
    summary: row.summary,
    category: row.category,
    severity: row.severity,
    status: row.status,
    affectedCount: row.affected_count,
    entityType: row.entity_type,
    impact: { mrr: typeof impact.mrr === 'number' ? toDecimal(impact.mrr, store.currency_code) : null, orders: impact.orders ?? null },
    currencyCode: store.currency_code,
    recommendedAction: actionWire(check?.action ?? (row.recommended_action as RecommendedAction | null)),
    watches: translated(check?.watches ?? ''),
    canRefresh: mayRefresh(row, now),
    error: row.error,
    createdAt: row.created_at.toISOString(),
    lastCheckedAt: row.last_checked_at.toISOString(),
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    resolvedBy: row.resolved_by,
    resolution: row.resolution,
  };
}
