// What the editors of cancellation flows offer: conditions, actions and limits.
import type { JsonObject } from '../../../contract/types.ts';
import { conditionParts } from '../../platform/records/catalogue-parts.ts';
import type { CatalogueContext } from '../../platform/records/registry.ts';
import { actionsIn, type Place } from '../../engine/index.ts';

const partsOf = (context: CatalogueContext, feature: string, place: Place | undefined, limits: JsonObject): JsonObject => ({
  conditions: conditionParts(context, feature),
  ...(place ? { actions: actionsIn(place, context) } : {}),
  limits,
});

/** C428 */
export const cancellationReasonParts = (context: CatalogueContext): JsonObject =>
  partsOf(context, 'reason', 'treatment', { maxTreatments: 3, maxConditions: 10 });

/** C417 */
export const subscriptionBenefitParts = (context: CatalogueContext): JsonObject =>
  partsOf(context, 'benefit', undefined, { maxConditions: 10, maxBodyLength: 50_000 });

/** C441 */
export const incentiveParts = (context: CatalogueContext): JsonObject =>
  partsOf(context, 'offer', 'incentive', { maxIncentives: 3, maxConditions: 10, maxUsage: 10 });
