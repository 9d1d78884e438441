// "See the admin as this role": begins with ?asRole=12 in the address, shows a banner while it lasts, and ends with one click.
import { Eye } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { refreshSession } from '../../platform/session/refresh-session.ts';
import { previewedRole, setPreviewedRole } from '../../platform/session/role-preview.ts';
import { useSession } from '../../platform/session/session.tsx';
import { notifyError } from '../../ui/notices/notices.tsx';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

const PARAMETER = 'asRole';

/** Reads the session as the role sees it, or as the person's own again. What can't be begun leaves everything as it was. */
async function show(role: string | undefined): Promise<void> {
  const before = previewedRole();
  setPreviewedRole(role);
  try {
    await refreshSession();
  } catch (error) {
    setPreviewedRole(before);
    notifyError(error, t`The view of the role could not be shown.`);
  }
}

export function RolePreview(): ReactElement | null {
  const { rolePreview } = useSession();
  const [isLeaving, setLeaving] = useState(false);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const query = new URLSearchParams(search);
    const role = query.get(PARAMETER);
    if (role === null) return;
    query.delete(PARAMETER);
    void navigate({ pathname, search: query.toString() }, { replace: true });
    void show(role);
  }, [pathname, search, navigate]);
  if (!rolePreview) return null;
  const leave = (): void => {
    setLeaving(true);
    void show(undefined).then(() => {
      setLeaving(false);
      void navigate(`/settings/user-permissions/roles/${rolePreview.id}`);
    });
  };
  return (
    <div className="p-banner p-preview" data-tone="attention" role="status">
      <Eye aria-hidden="true" />
      <p>{tx`You see the admin as people with the role ${<strong>{rolePreview.name}</strong>} do. Nothing can be changed meanwhile.`}</p>
      <button type="button" className="p-btn p-btn-s" disabled={isLeaving} onClick={leave}>
        {t`Leave the preview`}
      </button>
    </div>
  );
}
