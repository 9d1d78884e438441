// The path of a flow, drawn as it is typed: what sets it off, whom it is for, what it does.
import type { ConditionSet } from '../../src/contract/conditions.ts';
import { plainName, wordsOf } from '../../src/admin/form/fields/condition-values.ts';
import { useOfferedActions } from '../../src/admin/form/fields/action-catalogue.ts';
import { useFormServices } from '../../src/admin/form/fields/use-services.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { useSchema } from '../../src/admin/platform/definitions.ts';
import { optionsOf } from '../../src/contract/paths.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import '../../src/admin/record/styles/flow.css';
import { t } from '../../src/domain/text/t.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

interface Node {
  kind: 'trigger' | 'condition' | 'order' | 'action';
  text: string;
}
const WIDTH = 300;
const HEIGHT = 46;
const GAP = 26;
const LETTERS = 40;

const list = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter((one): one is JsonObject => one !== null && typeof one === 'object' && !Array.isArray(one)) : [];
const cut = (text: string): string => (text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text);

export default function FlowPath({ data, section }: FormPanelProps) {
  const services = useFormServices();
  const schema = useSchema('entities/flow');
  const { actions = [] } = useOfferedActions(services);
  const isOwn = data.flowType === 'CUSTOM' || data.flowType === undefined;
  const label = (entry: JsonObject): string => actions.find(one => one.key === entry.action)?.label ?? t`Choose an action`;
  const triggers = optionsOf(schema?.properties?.triggers?.items)
    .filter(option => (Array.isArray(data.triggers) ? data.triggers : []).includes(option.value))
    .map(option => option.title);
  const set = data.conditions as ConditionSet | undefined;
  const words = wordsOf(schema?.properties?.conditions?.['x-catalogue'] ?? {}, set, plainName);
  const join = set?.match === 'ANY' ? t` or ` : t` and `;
  const nodes: Node[] = [
    { kind: 'trigger', text: isOwn ? triggers.join(t` or `) || t`Choose a trigger` : t`Order placed` },
    ...(words.length ? [{ kind: 'condition' as const, text: t`Only if ${words.join(join)}` }] : []),
    ...(isOwn
      ? list(data.actions).map((entry): Node => ({ kind: 'action', text: label(entry) }))
      : list(data.journeySteps).flatMap((step): Node[] => [
          { kind: 'order', text: t`Before order ${String(step.orderNumber ?? '…')}` },
          ...list(step.actions).map((entry): Node => ({ kind: 'action', text: label(entry) })),
        ])),
  ];
  const height = nodes.length * (HEIGHT + GAP) - GAP;
  return (
    <PanelCard title={section.title ?? t`Path`}>
      <div className="p-card-body">
        <svg
          className="r-flow"
          viewBox={`0 0 ${WIDTH} ${height + 2}`}
          role="img"
          aria-label={nodes.map(node => node.text).join(t`, then `)}
        >
          {nodes.map((node, i) => {
            const top = i * (HEIGHT + GAP) + 1;
            return (
              <g key={i} data-kind={node.kind}>
                {i > 0 && (
                  <>
                    <line x1={WIDTH / 2} x2={WIDTH / 2} y1={top - GAP} y2={top - 6} />
                    <path className="r-flow-tip" d={`M ${WIDTH / 2 - 5} ${top - 8} l 5 7 l 5 -7 z`} />
                  </>
                )}
                <rect
                  x={1}
                  y={top}
                  width={WIDTH - 2}
                  height={HEIGHT}
                  rx={node.kind === 'trigger' || node.kind === 'order' ? HEIGHT / 2 : 8}
                />
                <text x={WIDTH / 2} y={top + HEIGHT / 2 + 5} textAnchor="middle">
                  {cut(node.text)}
                  <title>{node.text}</title>
                </text>
              </g>
            );
          })}
        </svg>
      </div>
    </PanelCard>
  );
}
