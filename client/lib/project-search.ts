// The project list's search, and when its 'All Projects' entry shows (§2, §5).
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

function normal(text: string): string {
  return text.trim().toLowerCase()
}
