// A time zone that remembers its offsets: working out one takes longer than everything else that a date of an order needs.
import { IANAZone } from 'luxon';

const DAY_MS = 86_400_000;
/** Since 1973 offsets are whole minutes, and no zone has changed its offset twice within six days. */
const REMEMBERED_FROM = Date.UTC(1973, 0, 1);
/** About 27 years of days. */
const MOST_DAYS = 10_000;

class RememberingZone extends IANAZone {
  /** Minutes from UTC at the start of a UTC day, by the number of the day since 1970. */
  readonly #byDay = new Map<number, number>();

  /** Minutes from UTC at an instant (epoch ms), as luxon works it out; NaN where the instant is none. */
  override offset(at: number): number {
    if (!(at >= REMEMBERED_FROM)) return super.offset(at);
    const day = Math.floor(at / DAY_MS);
    const offset = this.#atStartOf(day);
    return offset === this.#atStartOf(day + 1) ? offset : super.offset(at);
  }

  #atStartOf(day: number): number {
    let offset = this.#byDay.get(day);
    if (offset === undefined) {
      if (this.#byDay.size >= MOST_DAYS) this.#byDay.clear();
      offset = super.offset(day * DAY_MS);
      this.#byDay.set(day, offset);
    }
    return offset;
  }
}

const zones = new Map<string, RememberingZone>();

/** The zone of an IANA name. Throws a RangeError that says so for every other name. */
export function timeZone(name: string): IANAZone {
  let zone = zones.get(name);
  if (!zone) {
    zone = new RememberingZone(name);
    if (!zone.isValid) throw new RangeError(`"${name}" is not a time zone. Use an IANA name such as Europe/Paris.`);
    zones.set(name, zone);
  }
  return zone;
}
