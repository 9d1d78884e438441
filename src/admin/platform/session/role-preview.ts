// The role whose view of the admin is previewed, for this tab: each call names it, and the server answers as to people of that role.
const KEY = 'perennial.rolePreview';
let held: string | undefined;

/** The role's id; undefined outside a preview. */
export function previewedRole(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return held;
  }
}

/** Begins a preview, or ends it with undefined. The session has to be read again after it. */
export function setPreviewedRole(id: string | undefined): void {
  held = id;
  try {
    if (id === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, id);
  } catch {
    /* storage is shut off: the page's own memory serves */
  }
}
