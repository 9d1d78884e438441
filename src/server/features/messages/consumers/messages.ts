// Messages that follow an event (`when` in schemas/messages): written into the outbox, to be sent after their delay.
import type { JsonObject, MessageKind } from '../../../../contract/types.ts';
import { sendTime } from '../../../../domain/calendar/quiet-time.ts';
import type { EventConsumer, EventScope, StoredEvent } from '../../../platform/events/consumer.ts';
import { MESSAGES, editsOf, isSwitchedOff, letterOf } from '../../../platform/mail/message-edits.ts';
import { enqueueMail } from '../../../platform/mail/outbox.ts';
import { readSetting } from '../../../platform/records/settings.ts';
import type { EngineContext } from '../../subscriptions/engine/context.ts';
import { contractVariables } from '../../subscriptions/engine/message-variables.ts';
import { readSettings } from '../../subscriptions/engine/settings.ts';

/** Who gets it, as far as whoever made the change lets messages leave. */
async function recipients(
  { trx, store, services }: EventScope,
  { audience }: MessageKind,
  event: StoredEvent,
  customer: string,
): Promise<string[]> {
  if (event.messages === 'NONE') return [];
  if (audience === 'customer') return customer ? [customer] : [];
  if (audience !== 'admins' || event.messages === 'CUSTOMER') return [];
  const setting = async (name: string): Promise<JsonObject> =>
    (await readSetting({ trx, storeId: store.id, definitions: services.definitions }, name)).data;
  return (await readSettings({ setting, store } as Pick<EngineContext, 'setting' | 'store'>)).adminEmails;
}

export const messages: EventConsumer = {
  name: 'messages',
  keys: ({ messages: kinds }) => new Set(Object.values(kinds).flatMap(({ when }) => when?.event ?? [])),
  async handle(scope, event) {
    const { trx, store, services } = scope;
    if (event.contractId === null) return;
    const contract = await contractVariables(trx, { store, config: services.config }, event.contractId);
    if (!contract) return;
    // Every member that such an event may tell, so that a template can ask for one that is not there this time.
    const told = Object.fromEntries(
      (services.definitions.events[event.key]?.payload ?? []).map(name => [name, event.payload[name] ?? null]),
    );
    const variables = { ...contract.variables, event: told };
    const { definitions } = services;
    const edits = editsOf((await readSetting({ trx, storeId: store.id, definitions }, MESSAGES)).data);
    for (const kind of Object.values(services.definitions.messages)) {
      if (kind.when?.event !== event.key || isSwitchedOff(kind, edits[kind.key])) continue;
      const letter = letterOf(kind, edits[kind.key], variables);
      for (const to of await recipients(scope, kind, event, contract.email))
        await enqueueMail(
          trx,
          store.id,
          {
            template: kind.key,
            to,
            ...letter,
            contractId: event.contractId,
            dedupeKey: `${kind.key}:event:${event.id}:${to}`,
            sendAfter: sendTime(event.at, kind.when, store.timezone),
          },
          event.at,
        );
    }
  },
};
