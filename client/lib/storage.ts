// What outlives a visit. A browser that refuses storage only forgets it. Preferences stay with the browser, and so do views
// that a person has saved on purpose, under that person's id; everything else is a person's own, tells of customers, and
// goes when that person signs out or another one signs in.
const PERSON = 'portal.person'
const PREFERENCES =
  /^portal\.(theme|zone|support|alarm-sound|usage-card|projects-collapsed|rail|history-points-collapsed|density|device-views\..+|columns\..+)$/

interface Person {
  id: string
  fullName: string
}

export function recall<T>(key: string): T | null {
  try {
    const text = localStorage.getItem(key)
    return text === null ? null : (JSON.parse(text) as T)
  } catch {
    return null
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {}
}

/** Who signed in last in this browser. */
export const recallPerson = (): Person | null => recall<Person>(PERSON)

/** What is kept is this person's from now on; what another one has left goes. */
export function rememberPerson({ id, fullName }: Person): void {
  const before = recallPerson()
  if (before !== null && before.id !== id) forgetPerson()
  remember(PERSON, { id, fullName })
}

export function forgetPerson(): void {
  try {
    for (const key of Object.keys(localStorage)) if (!PREFERENCES.test(key)) localStorage.removeItem(key)
  } catch {}
}
