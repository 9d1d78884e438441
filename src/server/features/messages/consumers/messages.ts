// Messages that follow an event (`when` in schemas/messages): written into the outbox, to be sent after their delay.
import type { JsonObject, MessageKind } from '../../../../contract/types.ts';
import { sendTime } from '../../../../domain/calendar/quiet-time.ts';
import { renderLetter } from '../../../../domain/messages/letter.ts';
import type { EventConsumer, EventScope, StoredEvent } from '../../../platform/events/consumer.ts';
import { enqueueMail } from '../../../platform/mail/outbox.ts';
import { readSetting } from '../../../platform/records/settings.ts';
import type { EngineContext } from '../../subscriptions/engine/context.ts';
import { messageVariables } from '../../subscriptions/engine/message-variables.ts';
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
    const contract = await trx
      .selectFrom('contracts')
      .selectAll()
      .where('store_id', '=', store.id)
      .where('id', '=', event.contractId)
      .executeTakeFirst();
    if (!contract) return;
    const lines = await trx
      .selectFrom('contract_lines')
      .selectAll()
      .where('store_id', '=', store.id)
      .where('contract_id', '=', event.contractId)
      .orderBy('position')
      .execute();
    // Every member that such an event may tell, so that a template can ask for one that is not there this time.
    const told = Object.fromEntries(
      (services.definitions.events[event.key]?.payload ?? []).map(name => [name, event.payload[name] ?? null]),
    );
    const variables = { ...messageVariables({ store, config: services.config }, contract, lines), event: told };
    for (const kind of Object.values(services.definitions.messages)) {
      if (kind.when?.event !== event.key) continue;
      const letter = renderLetter(kind, variables);
      for (const to of await recipients(scope, kind, event, contract.customer_email))
        await enqueueMail(
          trx,
          store.id,
          {
            template: kind.key,
            to,
            ...letter,
            contractId: contract.id,
            dedupeKey: `${kind.key}:event:${event.id}:${to}`,
            sendAfter: sendTime(event.at, kind.when, store.timezone),
          },
          event.at,
        );
    }
  },
};
