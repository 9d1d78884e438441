// What a sign-in service has to know of this admin, and the address that the team gets.
import Copy from '../cells/copy.tsx';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { useAsk } from '../../src/admin/platform/transport/calls.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';
import { t } from '../../src/domain/text/t.ts';

const BOXED = {};

export default function SingleSignOn({ section, data }: FormPanelProps) {
  const { data: addresses } = useAsk<{ redirect: string; signIn: string }>('single-sign-on.addresses', {});
  const shown = [
    { title: t`Redirect address`, text: t`Enter it at the sign-in service, letter by letter.`, address: addresses?.redirect },
    {
      title: t`Sign-in of your team`,
      text: t`It leads to your sign-in service without asking for an address.`,
      address: addresses?.signIn,
    },
  ];
  return (
    <PanelCard title={section.title}>
      <div className="p-card-body p-stack">
        {shown.map(({ title, text, address }) => (
          <div key={title} className="p-stack-s">
            <p className="p-strong">{title}</p>
            <p className="p-muted">{text}</p>
            {address && (
              <p className="r-wrap">
                <Copy record={data} options={BOXED} value={address} />
              </p>
            )}
          </div>
        ))}
      </div>
    </PanelCard>
  );
}
