// In place of a screen that the session may not open: which permission or plan it needs, and who can give it.
import { Lock, Sparkles } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import type { Verdict } from '../../../navigation/navigation.ts';
import { useSession } from '../../platform/session/session.tsx';
import { useMayOpen } from '../../platform/routing/navigation.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../tx.ts';

export function Refused({ title, verdict }: { title: string; verdict: Extract<Verdict, { ok: false }> }): ReactElement {
  const { store } = useSession();
  const billing = useMayOpen('/settings/billing');
  const isPlan = verdict.code === 'FEATURE_NOT_IN_PLAN';
  return (
    <div className="p-page">
      <div className="p-page-head">
        <h1 className="p-page-title">{title}</h1>
      </div>
      <div className="p-card p-empty">
        {isPlan ? <Sparkles aria-hidden="true" /> : <Lock aria-hidden="true" />}
        <h2>{isPlan && verdict.plan ? t`Available on ${verdict.plan}` : t`You can't see this`}</h2>
        <p>{verdict.message}</p>
        {!isPlan && verdict.right && (
          <dl className="p-facts p-refused">
            <dt>{t`Permission needed`}</dt>
            <dd>{verdict.right}</dd>
            <dt>{t`Who can give it`}</dt>
            <dd>{tx`${store.shop_owner}, the owner, and every admin`}</dd>
          </dl>
        )}
        {isPlan && billing.ok && (
          <Link className="p-btn p-btn-primary" to="/settings/billing">
            {t`See plans`}
          </Link>
        )}
      </div>
    </div>
  );
}
