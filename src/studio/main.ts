// The page of the studio: the definitions at the left, the JSON of one in the middle, the screen it makes at the right.
import { createEditor } from './editor.ts';
import type { Opened, Place, StudioFile, StudioProblem } from './protocol.ts';

const find = <Element extends HTMLElement>(id: string): Element => document.getElementById(id) as Element;
const [list, search, problemList] = [find<HTMLUListElement>('files'), find<HTMLInputElement>('search'), find<HTMLOListElement>('problems')];
const [name, state, save] = [find('name'), find('state'), find<HTMLButtonElement>('save')];
const [frame, none] = [find<HTMLIFrameElement>('preview'), find('none')];

async function ask<Answer>(what: string, input: object = {}): Promise<Answer> {
  const response = await fetch(`/_studio/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-perennial-studio': '1' },
    body: JSON.stringify(input),
  });
  const body = (await response.json()) as Answer & { message?: string };
  if (!response.ok) throw new Error(body.message ?? `The server answered with ${response.status}.`);
  return body;
}

let files: StudioFile[] = [];
let open: (StudioFile & { saved: string; text: string; revision: string }) | undefined;
let checking: ReturnType<typeof setTimeout> | undefined;

const editor = createEditor(find('editor'), {
  onChange: text => {
    if (!open) return;
    open.text = text;
    show();
    clearTimeout(checking);
    checking = setTimeout(() => void check(), 250);
  },
  onSave: () => void write(),
  place: (path, value) => (open ? ask<Place>('place', { file: open.file, path, value }) : Promise.resolve({ keys: [], values: [] })),
});

/** What stands beside the name, and whether there is something to save. */
function show(text?: string): void {
  save.disabled = !open || open.text === open.saved;
  state.textContent = text ?? (save.disabled ? '' : 'Not saved');
}

async function check(): Promise<void> {
  const wanted = open;
  if (!wanted) return;
  const { file, text } = wanted;
  try {
    const problems = await ask<StudioProblem[]>('check', { file, text });
    if (open !== wanted || open.text !== text) return;
    editor.mark(problems.filter(problem => problem.file === file));
    problemList.replaceChildren(...problems.map(row));
  } catch (error) {
    show((error as Error).message);
  }
}

function row(problem: StudioProblem): HTMLLIElement {
  const item = document.createElement('li');
  const button = document.createElement('button');
  const place = document.createElement('span');
  place.textContent = `${problem.file === open?.file ? 'Line' : `${problem.file}, line`} ${problem.line}: `;
  button.append(place, problem.message);
  button.onclick = () =>
    void (problem.file === open?.file ? Promise.resolve() : choose(problem.file)).then(() => editor.goTo(problem.line, problem.column));
  item.append(button);
  return item;
}

async function write(): Promise<void> {
  if (!open || open.text === open.saved) return;
  const { file, text, revision } = open;
  show('Saving …');
  try {
    const saved = await ask<{ revision: string }>('save', { file, text, revision });
    if (open?.file !== file) return;
    Object.assign(open, { saved: text, revision: saved.revision });
    show('Saved');
    void refresh();
  } catch (error) {
    show((error as Error).message);
  }
}

async function choose(file: string): Promise<void> {
  if (open && open.text !== open.saved && !window.confirm(`${open.file} is not saved. Leave it?`)) return;
  const found = files.find(one => one.file === file);
  if (!found) return show(`There is no definition ${file}.`);
  const { text, revision } = await ask<Opened>('open', { file });
  open = { ...found, saved: text, text, revision };
  name.textContent = file;
  document.title = `${found.title} · Studio`;
  history.replaceState(null, '', `?file=${encodeURIComponent(file)}`);
  editor.show(text);
  show();
  draw();
  void check();
  frame.hidden = found.preview === null;
  none.hidden = found.preview !== null;
  none.textContent = found.preview === null ? 'This definition makes no screen of its own. It is checked, and others use it.' : '';
  // A screen that is open already, and pages below it, stay where they are.
  const shown = frame.contentWindow?.location.pathname;
  if (found.preview !== null && !(shown && shown.startsWith(found.preview))) frame.src = found.preview;
}

function draw(): void {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = files.filter(({ file, title }) => words.every(word => `${file} ${title}`.toLowerCase().includes(word)));
  let group = '';
  list.replaceChildren(
    ...wanted.flatMap(({ file, title }) => {
      const folder = file
        .split('/')
        .slice(0, file.startsWith('schemas/') ? 2 : 1)
        .join('/');
      const items: HTMLLIElement[] = [];
      if (folder !== group) {
        const head = document.createElement('li');
        head.className = 'group';
        head.textContent = group = folder;
        items.push(head);
      }
      const item = document.createElement('li');
      const button = document.createElement('button');
      button.textContent = title;
      button.title = file;
      if (file === open?.file) button.setAttribute('aria-current', 'true');
      button.onclick = () => void choose(file).catch((error: Error) => show(error.message));
      item.append(button);
      return [...items, item];
    }),
  );
}

async function refresh(): Promise<void> {
  files = await ask<StudioFile[]>('files');
  draw();
}

search.oninput = draw;
save.onclick = () => void write();
window.onbeforeunload = () => (open && open.text !== open.saved ? true : undefined);
await refresh();
const fileInAddress = new URLSearchParams(location.search).get('file');
if (fileInAddress) await choose(fileInAddress);
