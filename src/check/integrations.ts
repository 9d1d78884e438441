// Integrations: plans, events, messages and fields that they name are there.
import { EVENTS_FILE } from '../contract/integrations.ts';
import type { IntegrationKind } from '../contract/types/integration.ts';
import { placeholders } from '../contract/find.ts';
import type { JsonValue } from '../contract/types.ts';
import { known, type CheckContext } from './context.ts';

/** What bodies of events may name besides fields of the form; behind them anything. */
const TOLD = ['event', 'customer', 'properties', 'profile'];

export function checkIntegrations(context: CheckContext): void {
  const { integrations, integrationEvents, events, messages } = context.definitions;
  for (const { name, of, message } of Object.values(integrationEvents)) {
    of.forEach((key, i) =>
      known(
        context,
        EVENTS_FILE,
        `/events/${name}/of/${i}`,
        key,
        Object.keys(events),
        wrong => `There is no event "${wrong}" in schemas/events.`,
      ),
    );
    if (message)
      known(context, EVENTS_FILE, `/events/${name}/message`, message, Object.keys(messages), wrong => `There is no message "${wrong}".`);
  }
  for (const kind of Object.values(integrations)) if (context.sound(`schemas/integrations/${kind.key}.json`)) checkOne(context, kind);
}

function checkOne(context: CheckContext, kind: IntegrationKind): void {
  const file = `schemas/integrations/${kind.key}.json`;
  const fields = Object.keys(kind.form.properties ?? {});
  if (kind.plan)
    known(
      context,
      file,
      '/plan',
      kind.plan,
      context.definitions.plans.map(({ name }) => name),
      wrong => `There is no plan "${wrong}" in schemas/common/plans.json.`,
    );
  (kind.form.required ?? []).forEach((name, i) =>
    known(context, file, `/required/${i}`, name, fields, wrong => `There is no field "${wrong}".`),
  );
  (kind.events?.takes ?? []).forEach((name, i) =>
    known(
      context,
      file,
      `/events/takes/${i}`,
      name,
      Object.keys(context.definitions.integrationEvents),
      wrong => `There is no event "${wrong}" in ${EVENTS_FILE}.`,
    ),
  );
  if (kind.connect === 'OAUTH_REDIRECT' && !kind.authorize)
    context.report({ file, pointer: '/connect', message: 'A person who is sent to the vendor needs its page: add "authorize".' });
  const used = new Set([
    ...placeholders({ ...kind, form: null, steps: [] } as unknown as JsonValue),
    ...Object.keys(kind.check.names ?? {}),
    ...(context.options.settingsRead ?? fields),
  ]);
  for (const name of fields.filter(one => !used.has(one)))
    context.report({
      file,
      pointer: `/fields/${name}`,
      on: 'key',
      message: `Nothing reads "${name}": name it in a request ({${name}}), read it in the server (settings.${name}), or leave it out.`,
    });
  const names = [...fields, ...(kind.connect === 'OAUTH_REDIRECT' ? ['accessToken'] : [])];
  const check = (pointer: string, value: JsonValue | undefined, also: readonly string[] = []): void => {
    for (const name of placeholders(value ?? null)) {
      const first = name.split('.')[0] as string;
      known(context, file, pointer, first, [...names, ...also], wrong => `"{${wrong}}" is no field of the form.`);
    }
  };
  check('/baseUrl', kind.baseUrl);
  check('/headers', kind.headers as JsonValue);
  check('/basic', kind.basic as unknown as JsonValue);
  check('/check/path', kind.check.path);
  for (const name of Object.keys(kind.check.names ?? {}))
    known(context, file, `/check/names/${name}`, name, fields, wrong => `There is no field "${wrong}".`);
  check('/deliveryDays/path', kind.deliveryDays?.path, ['store']);
  check('/deliveryDays/body', kind.deliveryDays?.body, ['store']);
  check('/events/path', kind.events?.path);
  check('/events/body', kind.events?.body, TOLD);
}
