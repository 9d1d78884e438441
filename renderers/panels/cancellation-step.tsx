// A benefits page, a reason or an offer as a subscriber sees it, while it is typed.
import { StepCard } from '../../src/admin/features/cancellation/step-card.tsx';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const objects = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter((one): one is JsonObject => one !== null && typeof one === 'object' && !Array.isArray(one)) : [];

export default function CancellationStep({ data, section, options }: FormPanelProps) {
  return (
    <PanelCard title={section.title ?? t`What a subscriber sees`}>
      <div className="p-card-body">
        {options.kind === 'reason' ? <Reason data={data} /> : <Page data={data} isOffer={options.kind === 'offer'} />}
      </div>
    </PanelCard>
  );
}

function Page({ data, isOffer }: { data: JsonObject; isOffer: boolean }) {
  const [stay, go] = isOffer ? [data.acceptCtaText, data.rejectCtaText] : [data.primaryCtaText, data.secondaryCtaText];
  return (
    <StepCard
      title={text(data.title) || t`Title`}
      html={text(data.bodyHtml)}
      buttons={[{ text: text(stay) || t`Button to stay`, isMain: true }, { text: text(go) || t`Button to go on` }]}
    />
  );
}

function Reason({ data }: { data: JsonObject }) {
  if (data.audience === 'TEAM') return <p className="p-hint">{t`Only your team sees this reason.`}</p>;
  const suggestions = data.responseMode === 'TREATMENTS' ? objects(data.treatments) : [];
  return (
    <StepCard title={text(data.title) || t`Reason`} buttons={[]}>
      {data.responseMode === 'TREATMENTS' ? (
        <ul className="c-choices">
          {suggestions.map((one, i) => (
            <li key={i} className="c-choice c-suggestion">
              <span>
                {text(one.title) || t`Title`}
                {text(one.description) && <span className="p-hint">{text(one.description)}</span>}
              </span>
              <span className="c-step-button c-step-main">{text(one.ctaText) || t`Button`}</span>
            </li>
          ))}
        </ul>
      ) : (
        <span className="p-hint">{text(data.commentLabel) || t`Tell us more`}</span>
      )}
    </StepCard>
  );
}
