// The project list's search, when its 'All Projects' entry shows, and how much of a long list is drawn.

/** Entries drawn at first, and added when the end comes near: each one follows every change of the address. */
export const PROJECTS_SHOWN = 100

export function searchProjects<T extends { projectName: string }>(
  projects: readonly T[],
  keyword: string
): T[] {
  const wanted = normal(keyword)
  return projects.filter((project) => normal(project.projectName).includes(wanted))
}

export function showsAllProjects(visibleProjects: number, keyword: string): boolean {
  return visibleProjects > 1 && normal(keyword) === ''
}

/** The first of those found; the chosen one leads when it would be further down. */
export function projectsShown<T extends { id: string }>(
  found: readonly T[],
  room: number,
  chosenId: string
): T[] {
  const shown = found.slice(0, room)
  const chosen = found.slice(room).find(({ id }) => id === chosenId)
  return chosen ? [chosen, ...shown] : shown
}

function normal(text: string): string {
  return text.trim().toLowerCase()
}
