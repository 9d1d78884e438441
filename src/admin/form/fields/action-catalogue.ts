// The actions that flows, suggestions and offers can have, asked for once for each form's services.
import { useEffect, useState } from 'react';
import type { JsonObject, Schema } from '../../../contract/types.ts';
import type { FormServices } from './widget.ts';
import { t } from '../../../domain/text/t.ts';

const CONFIG = 'automations.config';

export type OfferedAction = {
  key: string;
  label: string;
  group: string;
  description: string;
  /** The action whose schema (schemas/actions) is its form; null: it asks for nothing. */
  form: string | null;
};
/** Groups as people read them, in the order in which they are offered. */
export const GROUPS: Record<string, string> = {
  PRODUCT: t`Products`,
  PRICE: t`Prices and discounts`,
  SCHEDULE: t`Orders`,
  STATUS: t`Status`,
  DELIVERY: t`Delivery`,
  OTHER: t`Notes, tags, e-mails`,
};

const requests = new WeakMap<FormServices, Map<string, Promise<OfferedAction[]>>>();
function actionsOf(services: FormServices, call: string): Promise<OfferedAction[]> {
  const known = requests.get(services) ?? new Map<string, Promise<OfferedAction[]>>();
  requests.set(services, known);
  let found = known.get(call);
  if (!found) {
    found = services
      .ask(call, {}, new AbortController().signal)
      .then(answer => ((answer as JsonObject | null)?.actions ?? []) as OfferedAction[]);
    found.catch(() => known.delete(call));
    known.set(call, found);
  }
  return found;
}

/** Undefined while they are on their way; an Error's message where they can't be had. */
export function useOfferedActions(services: FormServices, call = CONFIG): { actions?: OfferedAction[]; error?: string } {
  const [state, setState] = useState<{ actions?: OfferedAction[]; error?: string }>({});
  useEffect(() => {
    let isGone = false;
    actionsOf(services, call).then(
      actions => !isGone && setState({ actions }),
      (error: unknown) => !isGone && setState({ error: (error as Error).message }),
    );
    return () => {
      isGone = true;
    };
  }, [services, call]);
  return state;
}

/** The form of an action by its key; undefined while it loads, or where there is none. */
export function useActionForm(services: FormServices, form: string | null | undefined): Schema | undefined {
  const [loaded, setLoaded] = useState<{ form: string; schema: Schema | undefined }>();
  useEffect(() => {
    let isGone = false;
    if (form) void services.schema?.(`actions/${form}`).then(schema => !isGone && setLoaded({ form, schema }));
    return () => {
      isGone = true;
    };
  }, [services, form]);
  return loaded?.form === form ? loaded?.schema : undefined;
}
