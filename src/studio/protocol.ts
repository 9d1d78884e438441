// What the studio's page and the development server say to each other, as JSON under /_studio/.

/** A file of definitions, and where in the admin it can be seen. */
export interface StudioFile {
  /** Path from the project's root. */
  file: string;
  title: string;
  /** Address of the screen that it makes; null where it makes none. */
  preview: string | null;
}

export interface StudioProblem {
  file: string;
  /** Both from 1. */
  line: number;
  column: number;
  message: string;
}

export interface Opened {
  text: string;
  /** Names the text on the disk: a save that does not name it is refused, so that what changed meanwhile is not overwritten. */
  revision: string;
}

export interface Place {
  sentence?: string;
  keys: { key: string; sentence?: string }[];
  values: string[];
}
