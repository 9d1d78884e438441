// The languages of the store on the page of a record whose fields customers read (x-record.localised): which one is looked at, and what is
// missing in each.
import { useSearchParams } from 'react-router-dom';
import { allowsCall } from '../../../contract/access.ts';
import type { Resource } from '../../../contract/types.ts';
import { definitions } from '../../platform/definitions.ts';
import { useSession } from '../../platform/session/session.tsx';
import { useAsk } from '../../platform/transport/calls.ts';

export interface RecordLanguage {
  locale: string;
  name: string;
  isPrimary: boolean;
  isPublished: boolean;
  total: number;
  translated: number;
  missing: number;
}
export interface RecordLanguages {
  /** They are being read: their place is kept. */
  isComing: boolean;
  /** Empty where there is nothing to choose. */
  all: RecordLanguage[];
  /** The language that is looked at, where it is not the primary one. */
  chosen: RecordLanguage | undefined;
}

/** The call that reads the languages of a record. */
const CALL = 'multilingual.recordLanguages';
const NONE: RecordLanguages = { isComing: false, all: [], chosen: undefined };

/** The languages of a record of this type ("EMAIL_TEMPLATE"); none where the store has one alone, or the person may not see them. */
export function useRecordLanguages(type: string | undefined, id: string | number): RecordLanguages {
  const session = useSession();
  const [search] = useSearchParams();
  const call = definitions.calls[CALL];
  const may = type !== undefined && call !== undefined && allowsCall(call, session).ok;
  const { data, isPending } = useAsk<RecordLanguage[]>(
    CALL,
    may ? { localizedEntityType: type, localizedEntityId: String(id) } : undefined,
  );
  if (may && isPending && session.hasLanguages) return { ...NONE, isComing: true };
  if (!data || data.length < 2 || data.every(one => one.total === 0)) return NONE;
  return { isComing: false, all: data, chosen: data.find(one => !one.isPrimary && one.locale === search.get('language')) };
}

/** Actions that take the language that is looked at: they name {locale}. */
export const inLanguages = (resource: Resource): Resource => ({
  ...resource,
  actions: (resource.actions ?? []).filter(({ with: given }) => Object.values(given ?? {}).includes('{locale}')),
});
