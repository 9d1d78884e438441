// Catalogues about the store: countries, and the features of plans.
import type { JsonObject } from '../../../contract/types.ts';
import { intlLocale, language } from '../../../domain/text/t.ts';
import { countriesIn } from '../../../domain/text/countries.ts';
import { minimumPlans } from '../../platform/auth/store-plan.ts';
import type { RuleContext } from '../../platform/records/rules.ts';

/** All countries by name, the store's own first. */
export const countries = (context: RuleContext): JsonObject[] => countriesIn(context.store.country_code, intlLocale(), language());

/** S255, S256: every feature and the id of the lowest plan that has it. */
export const planFeatures = ({ definitions }: RuleContext): JsonObject[] =>
  [...minimumPlans(definitions)].map(([key, plan]) => ({ key, min_plan: plan.id }));
