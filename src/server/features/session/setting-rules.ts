// Single sign-on: who may set it up, and where it may lead.
import type { FieldError } from '../../../contract/types.ts';
import type { SingleSignOnSettings } from '../../../generated/entities.ts';
import { t } from '../../../domain/text/t.ts';
import { Refusal, type Context } from '../../platform/context.ts';
import type { SettingRules } from '../../platform/records/rules.ts';
import { refuseRole, roleOf } from '../team/rules.ts';
import { mayBePlain } from './single-sign-on/sign-in-service.ts';
import { keepWaysIn } from './single-sign-on/ways-in.ts';

function issuerErrors(context: Context, issuer: string): FieldError[] {
  const message =
    new URL(issuer).protocol !== 'https:' && !mayBePlain(context, issuer)
      ? t`Use an address that begins with https://, so that a sign-in can't be read on its way.`
      : context.outgoing.objection(issuer);
  return message ? [{ pointer: '/issuer', rule: 'address', message }] : [];
}

/**
 * People with an address of a domain are led to the store's service, so the domain has to be the store's own, as its DNS says: else a store
 * could lead the people of another company, or of a mail provider, to a page that asks for their password.
 */
async function domainErrors({ trx, storeId }: Context, domains: readonly string[]): Promise<FieldError[]> {
  const verified = await trx
    .selectFrom('email_domains')
    .select('domain')
    .where('store_id', '=', storeId)
    .where('status', '=', 'VERIFIED')
    .execute();
  return domains.flatMap((domain, i) => {
    const message = t`Show first that ${domain} is yours: add an address of it under Settings, E-mail domains, and let it be verified.`;
    return verified.some(one => one.domain === domain) ? [] : [{ pointer: `/domains/${i}`, rule: 'verified', message }];
  });
}

/** No one gives more than they have, and new people become neither owner nor admin by themselves. */
async function roleErrors(context: Context, id: number): Promise<FieldError[]> {
  const role = await roleOf(context, id);
  const wrong = (message: string): FieldError[] => [{ pointer: '/roleId', rule: 'rights', message }];
  if (!role) return [];
  if (role.systemType === 'OWNER' || role.systemType === 'ADMIN')
    return wrong(t`New people can’t become owner or admin by themselves. Choose another role.`);
  try {
    refuseRole(context, role);
    return [];
  } catch (error) {
    if (error instanceof Refusal) return wrong(error.message);
    throw error;
  }
}

export const settingRules: Record<string, SettingRules> = {
  'single-sign-on': {
    async validate(page, context) {
      // Plans without single rights let everybody through by their areas.
      if (context.user.type !== 'OWNER') throw new Refusal(403, 'FORBIDDEN', t`Only the owner of the store can change single sign-on.`);
      const { enabled, issuer, roleId, domains = [] } = page as SingleSignOnSettings;
      if (!enabled) return [];
      return [
        ...(issuer ? issuerErrors(context, issuer) : []),
        ...(await domainErrors(context, domains)),
        ...(roleId ? await roleErrors(context, roleId) : []),
      ];
    },
    after: (page, { trx, storeId, store }) => keepWaysIn(trx, storeId, page as SingleSignOnSettings, store.sso_required),
  },
};
