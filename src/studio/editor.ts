// The JSON editor of the studio: colours, folding, marks where something is wrong, sentences on hover, names that may stand at a place.
import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, defaultHighlightStyle, foldGutter, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { getLocation, parseTree, findNodeAtLocation, getNodeValue } from 'jsonc-parser';
import type { Place, StudioProblem } from './protocol.ts';

export interface Editor {
  view: EditorView;
  show: (text: string) => void;
  mark: (problems: readonly StudioProblem[]) => void;
  goTo: (line: number, column: number) => void;
}
interface Uses {
  onChange: (text: string) => void;
  onSave: () => void;
  /** What the grammar knows about a place of the open file. */
  place: (path: (string | number)[], value: unknown) => Promise<Place>;
}

export function createEditor(parent: HTMLElement, uses: Uses): Editor {
  const valueAt = (text: string, path: (string | number)[]): unknown => {
    const tree = parseTree(text);
    const node = tree && findNodeAtLocation(tree, path);
    return node && getNodeValue(node);
  };

  const hover = hoverTooltip(async (view, at) => {
    const text = view.state.doc.toString();
    const { path, previousNode } = getLocation(text, at);
    if (!previousNode || path.length === 0) return null;
    const { sentence } = await uses.place(path, undefined);
    if (!sentence) return null;
    return {
      pos: previousNode.offset,
      end: previousNode.offset + previousNode.length,
      create: () => {
        const dom = document.createElement('div');
        dom.className = 'sentence';
        dom.textContent = sentence;
        return { dom };
      },
    };
  });

  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const text = context.state.doc.toString();
    const location = getLocation(text, context.pos);
    const word = context.matchBefore(/"[^"\n]*/);
    if (!word && !context.explicit) return null;
    const from = word?.from ?? context.pos;
    const end = text[context.pos] === '"' ? context.pos + 1 : context.pos;
    if (location.isAtPropertyKey) {
      const owner = location.path.slice(0, -1);
      const { keys } = await uses.place(owner, valueAt(text, owner));
      return {
        from,
        to: end,
        filter: true,
        options: keys.map(({ key, sentence }) => ({ label: `"${key}"`, ...(sentence ? { info: sentence } : {}), apply: `"${key}": ` })),
      };
    }
    const { values } = await uses.place(location.path, undefined);
    return { from, to: end, options: values.map(value => ({ label: `"${value}"` })) };
  };

  const extensions = [
    lineNumbers(),
    EditorView.lineWrapping,
    foldGutter(),
    history(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    syntaxHighlighting(defaultHighlightStyle),
    json(),
    lintGutter(),
    hover,
    autocompletion({ override: [complete], activateOnTyping: true }),
    keymap.of([{ key: 'Mod-s', run: () => (uses.onSave(), true) }, ...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
    EditorView.contentAttributes.of({ 'aria-label': 'JSON of the definition' }),
    EditorView.updateListener.of(update => {
      if (update.docChanged) uses.onChange(update.state.doc.toString());
    }),
  ];
  const stateOf = (text: string): EditorState => EditorState.create({ doc: text, extensions });
  const view = new EditorView({ parent, state: stateOf('') });
  const offset = (line: number, column: number): number => {
    const found = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
    return Math.min(found.from + column - 1, found.to);
  };
  return {
    view,
    show: text => view.setState(stateOf(text)),
    mark: problems => {
      const diagnostics: Diagnostic[] = problems.map(({ line, column, message }) => {
        const from = offset(line, column);
        const token = /^"[^"\n]*"|^[\w.+-]+/.exec(view.state.doc.sliceString(from, from + 200))?.[0].length ?? 1;
        return { from, to: Math.min(from + token, view.state.doc.length), severity: 'error', message };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goTo: (line, column) => {
      const at = offset(line, column);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
      view.focus();
    },
  };
}
