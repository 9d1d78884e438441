// The page where customers ask for the link to their portal: its address, for the menu of the shop.
import Copy from '../cells/copy.tsx';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { t } from '../../src/domain/text/t.ts';

const BARE = { bare: true };

export default function PortalSignIn({ record }: PanelProps) {
  const address = `${window.location.origin}/portal/${useSession().store.storeId}`;
  return (
    <>
      <p>
        {t`Customers enter their e-mail address here and get a link to their subscriptions.
          Put this address into the menu of your shop.`}
      </p>
      <p className="r-wrap">
        <Copy record={record} options={BARE} value={address} />
      </p>
      <p>
        <a href={address} target="_blank" rel="noreferrer">{t`Open the page`}</a>
      </p>
    </>
  );
}
