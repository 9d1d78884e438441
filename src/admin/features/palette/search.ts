// The records that fit what is typed into the palette, asked of the server when typing rests.
import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { allowsCall } from '../../../contract/access.ts';
import { template } from '../../../contract/find.ts';
import { at } from '../../../contract/paths.ts';
import type { JsonObject, SearchSource, Session } from '../../../contract/types.ts';
import { runCall } from '../../platform/transport/calls.ts';
import { definitions } from '../../platform/definitions.ts';
import { worthRetrying } from '../../platform/transport/query-client.ts';
import { names } from './fitting.ts';
import { t } from '../../../domain/text/t.ts';

export interface Hit {
  id: string;
  title: string;
  detail: string;
  to: string;
  /** What was typed is a whole word of it: its number, its e-mail address, its name. */
  isExact: boolean;
}
export interface Hits {
  source: SearchSource;
  hits: Hit[];
}
/** Letters before the server is asked. */
const SHORTEST = 2;
const PER_SOURCE = 5;

/** A text that stays behind until typing rests. */
function useRested(text: string, ms: number): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return rested;
}

/** The sources that a session may read. */
export const sourcesOf = (session: Session): SearchSource[] =>
  (definitions.navigation.search ?? []).filter(({ call }) => {
    const found = definitions.calls[call];
    return found !== undefined && allowsCall(found, session).ok;
  });

function hitOf(source: SearchSource, record: JsonObject, typed: string): Hit {
  const to = source.to.replace(/\{([\w.]+)\}/g, (_, field: string) => encodeURIComponent(String(at(record, field) ?? '')));
  const detail = template(source.detail ?? '', record);
  const title = template(source.label, record) || detail;
  return { id: `${source.call} ${to}`, title, detail, to, isExact: names(typed, title, detail) };
}

/** Records that fit, by source. A search that is overtaken by more typing is broken off. */
export function useRecords(text: string, session: Session): { found: Hits[]; isSearching: boolean; failure?: string } {
  const typed = text.trim();
  const wanted = useRested(typed, 220);
  const sources = sourcesOf(session);
  // Marks alone are nothing to search for: the server refuses them.
  const isLong = wanted.length >= SHORTEST && /[\p{L}\p{N}]/u.test(wanted);
  const results = useQueries({
    queries: sources.map(source => ({
      queryKey: [definitions.calls[source.call]?.of ?? source.call, 'palette', source.call, wanted],
      queryFn: ({ signal }: { signal: AbortSignal }) => runCall(source.call, { q: wanted, pageSize: PER_SOURCE }, { signal }),
      enabled: isLong,
      retry: (tries: number, error: unknown) => tries < 1 && worthRetrying(error),
      staleTime: 30_000,
    })),
  });
  const found =
    isLong && typed.length >= SHORTEST
      ? sources.flatMap((source, i) => {
          const rows = results[i]?.data?.data;
          return Array.isArray(rows) && rows.length
            ? [{ source, hits: rows.slice(0, PER_SOURCE).map(row => hitOf(source, row as JsonObject, wanted)) }]
            : [];
        })
      : [];
  const broken = sources.filter((_, i) => results[i]?.isError);
  return {
    found,
    isSearching: typed.length >= SHORTEST && (typed !== wanted || results.some(result => result.isFetching)),
    ...(isLong && broken.length ? { failure: t`${broken.map(source => source.title).join(', ')} could not be searched.` } : {}),
  };
}
