// Profiles of offers: what no schema says of them, what they brought, and what has to be there before they are turned on.
import { frequencyLabel, sameInterval } from '../../../domain/calendar/interval.ts';
import { toMinor } from '../../../domain/money/money.ts';
import { placeholdersOf } from '../../../domain/text/placeholders.ts';
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import type { Context } from '../../platform/context.ts';
import { conditionErrors } from '../../platform/records/conditions/condition-errors.ts';
import { rules, type Derivation, type RuleContext, type Rules } from '../../platform/records/rules.ts';
import { engineOf, hasFrequency, nameOfVariant, readCatalogue, type SoldVariant } from '../../engine/index.ts';
import { isForSale, variantIds } from './choices.ts';
import { ofProfiles } from './figures.ts';
import { type OfferKind } from './offer.ts';
import type { Chosen } from './profiles.ts';
import type { SwapProfile } from './swap.ts';
import type { UpgradeProfile } from './upgrade.ts';
import { CATEGORY } from './upgrade-texts.ts';
import type { UpsellProfile } from './upsell.ts';
import { t } from '../../../domain/text/t.ts';

/** What a profile brought in the last 30 days. */
const brought = (kind: OfferKind, members: readonly string[]): Derivation => ({
  needs: ['id'],
  members,
  of: (records, context) =>
    ofProfiles(
      context,
      kind,
      records.map(({ id }) => Number(id)),
    ),
});

/** An amount with more decimals than the store's currency has. */
function amountErrors({ store }: RuleContext, type: string | undefined, value: string | undefined, pointer: string): FieldError[] {
  if ((type !== 'FIXED_AMOUNT' && type !== 'PRICE') || value === undefined) return [];
  try {
    toMinor(value, store.currency_code);
    return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ pointer, rule: 'format', message: error.message }];
  }
}

const count = (chosen: Chosen | undefined): number => (chosen?.productIds?.length ?? 0) + (chosen?.variantIds?.length ?? 0);

const swapErrors: NonNullable<Rules['validate']> = (verb, { record }, context) => {
  if (!record || verb === 'delete' || verb === 'move') return undefined;
  const profile = record as unknown as SwapProfile;
  const errors = conditionErrors(context, profile.conditions);
  if (profile.matchType !== 'CONDITION' && count(profile.sourceProducts) === 0)
    errors.push({ pointer: '/sourceProducts', rule: 'required', message: t`Add at least one product that may go.` });
  if (profile.matchType === 'CONDITION' && !profile.conditions?.rows.length)
    errors.push({
      pointer: '/conditions',
      rule: 'required',
      message: t`Add a condition. What is for everybody stands in the general settings.`,
    });
  if (count(profile.targetProducts) === 0 && !profile.targetCollectionIds?.length)
    errors.push({ pointer: '/targetProducts', rule: 'required', message: t`Add at least one replacement product.` });
  return errors;
};

export const swapProfile = rules({
  validate: swapErrors,
  derive: brought('SWAP', ['accepted', 'lastAcceptedAt']),
});

const upsellErrors: NonNullable<Rules['validate']> = (verb, { record }, context) => {
  if (!record || verb === 'delete' || verb === 'move') return undefined;
  const profile = record as UpsellProfile;
  const errors = [
    ...conditionErrors(context, profile.conditions),
    ...amountErrors(context, profile.discountType, profile.discountValue, '/discountValue'),
    ...(profile.items ?? []).flatMap((item, i) =>
      amountErrors(context, item.discountType, item.discountValue, `/items/${i}/discountValue`),
    ),
  ];
  const seen = new Set<number>();
  for (const [i, { productId }] of (profile.productSource === 'MANUAL' ? (profile.items ?? []) : []).entries()) {
    if (seen.has(productId))
      errors.push({ pointer: `/items/${i}/productId`, rule: 'unique', message: t`This product is offered already.` });
    seen.add(productId);
  }
  return errors;
};

export const upsellProfile = rules({
  validate: upsellErrors,
  derive: brought('UPSELL', ['accepted', 'revenue', 'monthlyChange', 'lastAcceptedAt']),
});

/** Variables that the words of an upgrade may hold. */
const knownVariables = ({ definitions }: RuleContext): string[] => Object.keys(definitions.texts[CATEGORY]?.variables ?? {});

function textErrors(context: RuleContext, profile: UpgradeProfile): FieldError[] {
  const known = knownVariables(context);
  return (['bannerTexts', 'drawerTexts'] as const).flatMap(group =>
    (profile[group] ?? []).flatMap(({ value }, i) =>
      placeholdersOf(value ?? '')
        .filter(name => !known.includes(name))
        .map(name => {
          const variable = `{{${name}}}`;
          return { pointer: `/${group}/${i}/value`, rule: 'variables', message: t`Unknown variable ${variable}.` };
        }),
    ),
  );
}

const upgradeErrors: NonNullable<Rules['validate']> = (verb, { record }, context) => {
  if (!record || verb === 'delete' || verb === 'move') return undefined;
  const profile = record as UpgradeProfile;
  const errors = [
    ...conditionErrors(context, profile.conditions),
    ...textErrors(context, profile),
    ...amountErrors(context, profile.discount?.type, profile.discount?.value, '/discount/value'),
  ];
  const seen = new Set<number>();
  for (const [i, { oldVariantId, newVariantId, newQuantity }] of (profile.productsMapping ?? []).entries()) {
    const at = `/productsMapping/${i}`;
    if (seen.has(oldVariantId))
      errors.push({ pointer: `${at}/oldVariantId`, rule: 'unique', message: t`A product can be upgraded only once per profile.` });
    seen.add(oldVariantId);
    if (oldVariantId === newVariantId && (newQuantity ?? null) === null && profile.type === 'SKU_UPGRADE')
      errors.push({ pointer: `${at}/newVariantId`, rule: 'same', message: t`Old and new product are identical.` });
  }
  if (profile.type === 'SKU_UPGRADE_FREQUENCY_CHANGE')
    for (const [i, { oldFrequency, newFrequency }] of (profile.frequencies ?? []).entries())
      if (oldFrequency && newFrequency && sameInterval(oldFrequency, newFrequency))
        errors.push({ pointer: `/frequencies/${i}/newFrequency`, rule: 'same', message: t`New frequency must differ from the old one.` });
  return errors;
};

const ofUpgrades = brought('UPGRADE', ['viewed', 'accepted', 'monthlyChange', 'lastAcceptedAt']);
export const upgradeProfile = rules({
  validate: upgradeErrors,
  derive: {
    needs: ['id', 'discount'],
    // D067: a discount without a value of its own, as that of a selling plan, is said with the value 0.
    members: [...ofUpgrades.members, 'discount'],
    of: async (records, context) =>
      (await ofUpgrades.of(records, context)).map((one, i) => ({
        ...one,
        discount: { value: '0', ...(records[i]?.discount as JsonObject | null) },
      })),
  },
});

/** Every product that is offered has a selling plan, at each new frequency where that changes. */
async function upgradeLacks(context: Context, record: JsonObject): Promise<string | undefined> {
  const { type, productsMapping = [], frequencies = [] } = record as UpgradeProfile;
  const { byId, plans } = await readCatalogue(engineOf(context), { ids: productsMapping.map(pair => pair.newVariantId) });
  for (const { newVariantId } of productsMapping) {
    const variant = byId.get(newVariantId);
    if (!isForSale(variant)) return t`No product of this profile can be shown.`;
    const product = nameOfVariant(variant as SoldVariant);
    const offered = plans.get(newVariantId) ?? [];
    if (offered.length === 0) return t`No selling plan found for ${product}.`;
    for (const { newFrequency } of type === 'SKU_UPGRADE_FREQUENCY_CHANGE' ? frequencies : [])
      if (!offered.some(({ plan }) => hasFrequency(plan, newFrequency, newFrequency)))
        return t`No selling plan found for ${product} ${frequencyLabel(newFrequency)}.`;
  }
  return undefined;
}

/** Moves of profiles that have to be looked at. */
export const guards = {
  canActivateUpgrade: upgradeLacks,
  canActivateUpsell: async (context: Context, record: JsonObject): Promise<string | undefined> => {
    const { productSource, items = [] } = record as UpsellProfile;
    if (productSource !== 'MANUAL') return undefined;
    const ids = await variantIds({ context }, { productIds: items.map(item => item.productId) });
    const { byId } = await readCatalogue(engineOf(context), { ids });
    return ids.some(id => isForSale(byId.get(id))) ? undefined : t`No product of this profile can be shown.`;
  },
  canActivateSwap: async (context: Context, record: JsonObject): Promise<string | undefined> => {
    const profile = record as unknown as SwapProfile;
    const [from, to] = [
      await variantIds({ context }, profile.sourceProducts ?? {}),
      await variantIds({ context }, { ...profile.targetProducts, collectionIds: profile.targetCollectionIds ?? [] }),
    ];
    // One variant that goes and is the only one to choose is no choice; among several each has the others.
    const isNoChoice = profile.matchType !== 'CONDITION' && from.length === 1 && to.every(id => id === from[0]);
    return isNoChoice || to.length === 0 ? t`Replacement products must differ from the source.` : undefined;
  },
};
