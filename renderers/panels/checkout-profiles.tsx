// The checkouts of the store at the platform, each with a link to its editor.
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { useAsk } from '../../src/admin/platform/transport/calls.ts';
import { t } from '../../src/domain/text/t.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

interface Profile {
  id: number;
  name: string;
  isPublished: boolean;
  editorUrl: string;
}

export default function CheckoutProfiles({ section }: FormPanelProps) {
  const { data, error } = useAsk<Profile[]>('checkout.getStoreCheckoutProfiles', {}, { staleTime: 60_000 });
  return (
    <PanelCard title={section.title}>
      <div className="p-card-body p-stack-s">{error && !data ? <p role="alert">{error.message}</p> : <Profiles profiles={data} />}</div>
    </PanelCard>
  );
}

function Profiles({ profiles }: { profiles: Profile[] | undefined }) {
  if (!profiles) return <span className="p-skeleton" role="status" aria-label={t`Loading`} />;
  if (profiles.length === 0) return <p className="p-muted">{t`The platform names no checkout of your store.`}</p>;
  return (
    <>
      {profiles.map(({ id, name, isPublished, editorUrl }) => (
        <p key={id} className="p-row">
          <span className="p-grow">
            {name} <span className="p-hint">{isPublished ? t`Live` : t`Not live`}</span>
          </span>
          <a href={editorUrl} target="_blank" rel="noreferrer">
            {t`Open editor`}
          </a>
        </p>
      ))}
    </>
  );
}
