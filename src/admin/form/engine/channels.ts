// Who listens to what in a form. A channel is a pointer (this value, its error), pointer + "#" (which children an object shows, how many
// items an array has), pointer + "/**" (anything inside), "*" (anything at all), "open:…" (whether a section or card is open).
import { parentOf } from './path.ts';

type Listener = () => void;

export class Channels {
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly stamps = new Map<string, number>();

  subscribe(channel: string, listener: Listener): () => void {
    let set = this.listeners.get(channel);
    if (!set) this.listeners.set(channel, (set = new Set()));
    set.add(listener);
    return () => {
      set.delete(listener);
      if (!set.size && this.listeners.get(channel) === set) this.listeners.delete(channel);
    };
  }

  /** A number that is another one after each change of the channel. */
  stamp(channel: string): number {
    return this.stamps.get(channel) ?? 0;
  }

  /** The channels that someone listens to. */
  heard(): Iterable<string> {
    return this.listeners.keys();
  }

  /** Tells everybody who listens to any of the channels, each once. */
  tell(channels: Iterable<string>): void {
    const called = new Set<Listener>();
    for (const channel of channels) {
      this.stamps.set(channel, this.stamp(channel) + 1);
      for (const listener of this.listeners.get(channel) ?? []) called.add(listener);
    }
    for (const listener of called) listener();
  }
}

/** The channels of everything that holds a place, the place included. */
export function holders(pointer: string): string[] {
  const channels = [`${pointer}/**`];
  for (let at = pointer; at;) {
    at = parentOf(at);
    channels.push(`${at}/**`);
  }
  return channels;
}

/** The channels to tell when what is said about a place changes. */
export const around = (pointer: string): string[] => [pointer, `${pointer}#`, ...holders(pointer)];
