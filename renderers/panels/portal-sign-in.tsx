// The page where customers ask for the link to their portal: its address, for the menu of the shop.
import Copy from '../cells/copy.tsx';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';
import { t } from '../../src/domain/text/t.ts';

const BARE = { bare: true };

export default function PortalSignIn({ section, data }: FormPanelProps) {
  const address = `${window.location.origin}/portal/${useSession().store.storeId}`;
  return (
    <PanelCard title={section.title}>
      <div className="p-card-body p-stack-s">
        <p>
          {t`Customers enter their e-mail address here and get a link to their subscriptions.
          Put this address into the menu of your shop.`}
        </p>
        <p className="r-wrap">
          <Copy record={data} options={BARE} value={address} />
        </p>
        <p>
          <a href={address} target="_blank" rel="noreferrer">{t`Open the page`}</a>
        </p>
      </div>
    </PanelCard>
  );
}
