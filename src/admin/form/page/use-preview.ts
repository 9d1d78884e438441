// A preview beside a form: the answer of a call to what is typed, once it rests.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../contract/types.ts';
import { useFormServices } from '../fields/use-services.ts';
import { useRested } from './use-rested.ts';

/** The newest answer, which stays until the next one is there; `error` where the call refused. `ms`: how long the form rests before. */
export function usePreview<A>(call: string, typed: JsonObject, ms?: number): { shown: A | undefined; error: Error | null } {
  const services = useFormServices();
  const input = useRested(typed, ms);
  const { data, error } = useQuery({
    queryKey: ['preview', call, input],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => services.ask(call, input, signal),
  });
  return { shown: data as A | undefined, error };
}
