// What can be done to many subscriptions at once: the server's catalogue, in groups, with what this person may not do and why.
import { useMemo } from 'react';
import { allowsCall } from '../../../contract/access.ts';
import type { JsonObject, Session } from '../../../contract/types.ts';
import { callOf, useAsk } from '../../platform/transport/calls.ts';
import { useSession } from '../../platform/session/session.tsx';
import { text } from './states.ts';
import { BULK } from './bulk-calls.ts';
import { t } from '../../../domain/text/t.ts';
import { holdsWords } from '../../../domain/text/fold.ts';

export interface CatalogueAction {
  key: string;
  label: string;
  description: string;
  group: string;
  icon: string;
  /** States that it applies to; rows in others are skipped. Empty: all. */
  statuses: string[];
  /** It asks cards for money; it sends e-mails to customers. */
  charges: boolean;
  mails: boolean;
  /** A run of it can be taken back for a day. */
  undo: boolean;
  /** The number of subscriptions above which it is typed out before it starts. */
  confirmAbove: number | undefined;
  /** Columns that its CSV file may have besides the ids. */
  columns: string[];
  /** Why this person can't use it. */
  refusal?: string;
}
export interface Group {
  key: string;
  title: string;
  actions: CatalogueAction[];
}

const GROUPS: Record<string, string> = {
  STATUS: t`Status`,
  SCHEDULE: t`Orders and schedule`,
  PRODUCT: t`Products`,
  PRICE: t`Prices and discounts`,
  DELIVERY: t.as('subscription')`Delivery`,
  OTHER: t`More`,
};
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(one => typeof one === 'string') : []);

function read(row: JsonObject, session: Session): CatalogueAction {
  const key = text(row.key);
  // Besides the right to bulk actions, each needs the right of the single action.
  const own = allowsCall(
    { ...callOf(row.requiredAccess === 'READ' ? BULK.preview : BULK.create), permission: text(row.requiredPermission) },
    session,
  );
  const verdict = own.ok ? allowsCall(callOf(BULK.create), session) : own;
  return {
    key,
    label: text(row.label),
    description: text(row.description),
    group: text(row.group) || 'OTHER',
    icon: text(row.icon) || 'wrench',
    statuses: texts(row.states),
    charges: row.chargesCards === true,
    mails: row.sendsMail === true,
    undo: row.canUndo === true,
    confirmAbove: typeof row.confirmAbove === 'number' ? row.confirmAbove : undefined,
    columns: texts(row.columns),
    ...(verdict.ok ? {} : { refusal: verdict.message }),
  };
}

/** The catalogue in its groups, without what only the system starts; undefined while it loads. */
export function useCatalogue(): { groups: Group[] | undefined; error: unknown; refetch: () => void } {
  const { data, error, refetch } = useAsk<JsonObject[]>(BULK.names, {}, { staleTime: 300_000 });
  const session = useSession();
  const groups = useMemo(() => {
    if (!Array.isArray(data)) return undefined;
    const actions = data.filter(row => row.isSystem !== true).map(row => read(row, session));
    return Object.entries(GROUPS)
      .map(([key, title]) => ({ key, title, actions: actions.filter(action => action.group === key) }))
      .filter(group => group.actions.length > 0);
  }, [data, session]);
  return { groups, error, refetch: () => void refetch() };
}

/** The groups with the actions that fit what was typed: every word begins a word of the label or stands in the description. */
export function fittingActions(groups: Group[], typed: string): Group[] {
  if (!typed.trim()) return groups;
  const fits = (action: CatalogueAction, group: Group): boolean => holdsWords(typed, action.label, action.description, group.title);
  return groups
    .map(group => ({ ...group, actions: group.actions.filter(action => fits(action, group)) }))
    .filter(group => group.actions.length > 0);
}
