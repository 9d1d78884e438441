// What a translation is made from: the words of the primary language, with what it must keep marked.
import type { JsonObject } from '../../src/contract/types.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { Words, type TextRecord } from '../../src/admin/features/texts/text-row.tsx';
import { useAsk } from '../../src/admin/platform/transport/calls.ts';
import '../../src/admin/features/texts/texts.css';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

export default function TranslationSource({ section, options }: FormPanelProps) {
  const { data: texts } = useAsk<TextRecord[]>('multilingual.fetch_localized_entity_translations', options.with as JsonObject);
  return (
    <PanelCard title={section.title}>
      <dl className="p-card-body x-source">
        {texts?.map(text => (
          <div key={text.key}>
            <dt className="p-hint">{text.label}</dt>
            <dd className="x-text-source">
              <Words text={text.source} />
            </dd>
          </div>
        ))}
      </dl>
    </PanelCard>
  );
}
