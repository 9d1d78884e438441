// Messages that follow an event (`when` in schemas/messages): written into the outbox, to be sent after their delay.
import type { JsonObject, MessageKind } from '../../../../contract/types.ts';
import { notOnQuietDays, sendTime } from '../../../../domain/calendar/quiet-time.ts';
import type { EventConsumer, EventScope, StoredEvent } from '../../../platform/events/consumer.ts';
import { letterFor } from '../../../platform/mail/letter-for.ts';
import { isSwitchedOff, letterOf } from '../../../platform/mail/message-edits.ts';
import { PRODUCT_LANGUAGE, speechOf } from '../../../platform/mail/speech.ts';
import { enqueueMail } from '../../../platform/mail/outbox.ts';
import { readSetting } from '../../../platform/records/settings.ts';
import { contractVariables, type EngineContext, type EngineSettings, readSettings } from '../../../engine/index.ts';

type EngineParts = Pick<EngineContext, 'setting' | 'store' | 'storeId' | 'trx'>;

const settingOf =
  ({ trx, store, services: { definitions } }: EventScope) =>
  async (name: string): Promise<JsonObject> =>
    (await readSetting({ trx, storeId: store.id, definitions }, name)).data;

/** Who gets it, as far as the author of the change lets messages leave. */
function recipients(
  { adminEmails }: Pick<EngineSettings, 'adminEmails'>,
  { audience }: MessageKind,
  event: StoredEvent,
  customer: string,
): string[] {
  if (event.messages === 'NONE') return [];
  if (audience === 'customer') return customer ? [customer] : [];
  if (audience !== 'admins' || event.messages === 'CUSTOMER') return [];
  return adminEmails;
}

export const messages: EventConsumer = {
  name: 'messages',
  keys: ({ messages: kinds }) => new Set(Object.values(kinds).flatMap(({ when }) => when?.event ?? [])),
  async handle(scope, event) {
    const { trx, store, services } = scope;
    if (event.contractId === null) return;
    const setting = settingOf(scope);
    const contract = await contractVariables(trx, { store, config: services.config }, event.contractId);
    if (!contract) return;
    const settings = await readSettings({ setting, store, storeId: store.id, trx } as EngineParts);
    // Every member that such an event may tell, so that a template can ask for one that is not there this time.
    const values = Object.fromEntries(
      (services.definitions.events[event.key]?.payload ?? []).map(name => [name, event.payload[name] ?? null]),
    );
    const speaking = { words: settings.words, texts: services.definitions.texts, zone: store.timezone, dateFormat: settings.dateFormat };
    const valuesIn = (language: string): object => ({ ...contract.variables(speechOf(speaking, language)), event: values });
    const edits = settings.messages;
    for (const kind of Object.values(services.definitions.messages)) {
      if (kind.when?.event !== event.key || isSwitchedOff(kind, edits[kind.key])) continue;
      const letter =
        kind.audience === 'customer'
          ? letterFor(kind, edits[kind.key], { words: settings.words, locale: contract.locale }, valuesIn)
          : letterOf(kind, edits[kind.key], valuesIn(PRODUCT_LANGUAGE), settings.words.primary);
      const wanted = sendTime(event.at, kind.when, store.timezone);
      const sendAfter = kind.audience === 'customer' && !kind.always ? notOnQuietDays(wanted, settings.quiet, store.timezone) : wanted;
      for (const to of recipients(settings, kind, event, contract.email))
        await enqueueMail(
          trx,
          store.id,
          {
            template: kind.key,
            to,
            ...letter,
            contractId: event.contractId,
            dedupeKey: `${kind.key}:event:${event.id}:${to}`,
            sendAfter,
          },
          event.at,
        );
    }
  },
};
