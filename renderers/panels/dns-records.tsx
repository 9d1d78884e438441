// Records to put into the DNS of a domain, each to be copied, and whether it was found there.
import Copy from '../cells/copy.tsx';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

export const flush = true;

const BARE = { bare: true };

export default function DnsRecords({ record }: PanelProps) {
  const records = Array.isArray(record.records) ? (record.records as JsonObject[]) : [];
  return (
    <div className="p-table-wrap">
      <table className="p-table r-table r-dns" aria-label={t`Records of the domain`}>
        <thead>
          <tr>
            <th scope="col">{t`Type`}</th>
            <th scope="col">{t`Name`}</th>
            <th scope="col">{t`Value`}</th>
            <th scope="col">{t`Found`}</th>
          </tr>
        </thead>
        <tbody>
          {records.map(({ type, host, value, verified }) => (
            <tr key={String(host)}>
              <td>{String(type)}</td>
              <td className="r-wrap">
                <Copy record={record} options={BARE} value={host ?? ''} />
              </td>
              <td className="r-wrap">
                <Copy record={record} options={BARE} value={value ?? ''} />
              </td>
              <td>
                <span className="p-badge" data-tone={verified ? 'success' : 'neutral'}>
                  {verified ? t`Found` : t`Not yet`}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
