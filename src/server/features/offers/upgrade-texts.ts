// The words of an upgrade as one subscriber reads them: its own, else the store's, in their language, with what stands for the variables.
import { frequencyLabel } from '../../../domain/calendar/interval.ts';
import { dateLabel } from '../../../domain/calendar/calendar.ts';
import { formatMoney, times } from '../../../domain/money/money.ts';
import { filledOut } from '../../../domain/text/placeholders.ts';
import type { Speech } from '../../platform/mail/speech.ts';
import type { Words } from '../../platform/texts/words.ts';
import { billingOf, nameOf, nameOfVariant, presentPiece } from '../../engine/index.ts';
import type { Scope } from './profiles.ts';
import type { TextEntry, UpgradeOffer, UpgradeProfile } from './upgrade.ts';
import { intlLocale } from '../../../domain/text/t.ts';

/** The file of schemas/texts. */
export const CATEGORY = 'upgrade';
type Group = 'bannerTexts' | 'drawerTexts';
const isOf = (group: Group, key: string): boolean => key.startsWith('upgradeDrawer') === (group === 'drawerTexts');

/** How amounts, intervals and days are said; as the admin says them where it is left out. */
export type Saying = Pick<Speech, 'language' | 'money' | 'every' | 'day' | 'named'>;
const adminSays = ({ context }: Scope): Saying => ({
  named: line => line,
  language: intlLocale(),
  money: (minor, currency) => formatMoney(minor, currency, intlLocale()),
  every: frequencyLabel,
  day: at => dateLabel(at.getTime(), context.store.timezone, intlLocale()),
});

const percent = ({ language }: Saying, share: number): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(share);

/** What the variables stand for. */
export function valuesOf(scope: Scope, offer: UpgradeOffer, says: Saying = adminSays(scope)): Record<string, string> {
  const { subscription, context } = scope;
  const { line, quantity, price, basePrice, variant, frequency } = offer;
  const cash = (minor: number): string => says.money(minor, subscription.contract.currency_code);
  const saving = times(Math.max(0, basePrice - price), quantity);
  const present = billingOf(subscription.contract);
  return {
    max_selling_plan_discount: basePrice > price ? percent(says, 1 - price / basePrice) : '',
    total_subscription_savings: saving > 0 ? cash(saving) : '',
    saving_per_order: saving > 0 ? cash(saving) : '',
    current_product: nameOf(line),
    new_product: nameOfVariant(says.named(variant)),
    current_frequency: says.every(present),
    new_frequency: says.every(frequency ?? present),
    current_price: cash(times(presentPiece(scope.subscription, line), line.quantity)),
    new_price: cash(times(price, quantity)),
    store_name: context.store.name,
    customer_first_name: subscription.contract.customer_first_name,
    next_order_date: subscription.contract.next_billing_at ? says.day(subscription.contract.next_billing_at) : '',
  };
}

/** The texts of a group, each filled in; a variable that stands for nothing is left out of its sentence. */
export function textsFor(
  { context }: Pick<Scope, 'context'>,
  profile: UpgradeProfile,
  group: Group,
  words: Words,
  locale: string | null,
  values: Record<string, string>,
): TextEntry[] {
  const texts = context.definitions.texts[CATEGORY]?.texts ?? {};
  return Object.entries(texts)
    .filter(([key]) => isOf(group, key))
    .map(([fieldKey, { default: standard }]) => {
      const own = profile[group]?.find(entry => entry.fieldKey === fieldKey)?.value;
      const found = own
        ? (words.find(locale, { ownerKind: 'upgrade-profile', ownerId: String(profile.id), key: `${group}.${fieldKey}.value` })?.value ??
          own)
        : (words.find(locale, { ownerKind: 'store', ownerId: '', key: fieldKey })?.value ?? standard);
      return { fieldKey, value: filledOut(found, values).replace(/ {2,}/g, ' ').trim() };
    });
}
