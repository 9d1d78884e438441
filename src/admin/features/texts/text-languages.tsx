// The other languages of the store, each with a page of the same texts: behind the address of the page of the primary one.
import { Languages } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router-dom';
import { allowsCall } from '../../../contract/access.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { useSession } from '../../platform/session/session.tsx';
import { callOf, useAsk } from '../../platform/transport/calls.ts';
import { MenuButton } from '../../ui/overlays/menu.tsx';
import { t } from '../../../domain/text/t.ts';

export function TextLanguages({ call }: { call: string }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const session = useSession();
  const { data } = useAsk<JsonObject[]>(call, allowsCall(callOf(call), session).ok ? { pageSize: 50 } : undefined);
  const others = (data ?? []).filter(one => one.isPrimary !== true);
  if (others.length === 0) return null;
  return (
    <MenuButton
      className="p-btn"
      label={t`Other languages`}
      items={() => others.map(one => ({ title: String(one.name), onSelect: () => void navigate(`${pathname}/${String(one.id)}`) }))}
    >
      <Languages size={16} aria-hidden="true" /> {t`Other languages`}
    </MenuButton>
  );
}
