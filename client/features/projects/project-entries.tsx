import Plus from 'lucide-react/icons/plus'
import { useEffect, useRef, useState } from 'react'
import type { ProjectList } from '#shared/entities.ts'
import { count } from '../../lib/format.ts'
import { SearchField } from '../../ui/input/search-field.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Skeleton } from '../../ui/state/loading.tsx'
import { useCustomer } from '../customers/customer.ts'
import type { ViewControl } from '../devices/use-device-view.ts'
import { Entry, ProjectRow, showCreateProject } from './project-entry.tsx'
import { PROJECTS_SHOWN, projectsShown, searchProjects, showsAllProjects } from './project-search.ts'

interface ProjectEntriesProps {
  list: ProjectList | undefined
  control: ViewControl
  onChosen?: () => void
}

const SKELETONS = ['70%', '50%', '85%', '60%', '75%', '55%', '65%', '80%']

/** Search and choice of a project; the choice stands in the URL. */
export function ProjectEntries({ list, control, onChosen }: ProjectEntriesProps) {
  const { partnerId } = useCustomer()
  const [keyword, setKeyword] = useState('')
  const [room, setRoom] = useState(PROJECTS_SHOWN)
  const entries = useRef<HTMLUListElement>(null)
  const firstNew = useRef<string>(undefined)
  const found = searchProjects(list?.projects ?? [], keyword)
  const shown = projectsShown(found, room, control.view.project)
  const showsAll = showsAllProjects(found.length, keyword)
  const link = (id: string | null) => ({
    to: control.searchFor({ project: id }),
    chosen: control.view.project === id,
    onChosen
  })

  function search(text: string) {
    setKeyword(text)
    setRoom(PROJECTS_SHOWN)
  }

  useEffect(() => {
    const index = shown.findIndex(({ id }) => id === firstNew.current)
    if (index < 0) return
    firstNew.current = undefined
    entries.current?.children[index + Number(showsAll)]?.querySelector('a')?.focus()
  }, [shown, showsAll])

  return (
    <>
      <SearchField label="Search Project" value={keyword} debounceMs={0} onSearch={search} />
      {list ? (
        <ul className="project-entries" ref={entries}>
          {showsAll && (
            <li>
              <Entry {...link(null)} name="All Projects" devices={list.totals.devices} />
            </li>
          )}
          {shown.map((project) => (
            <ProjectRow key={project.id} project={project} {...link(project.id)} />
          ))}
          {shown.length < found.length && (
            <li>
              <LoadMore
                label={`Show ${PROJECTS_SHOWN} more`}
                busy={false}
                onScroll
                onLoad={(byHand) => {
                  if (byHand) firstNew.current = found[room]?.id
                  setRoom(room + PROJECTS_SHOWN)
                }}
              />
            </li>
          )}
        </ul>
      ) : (
        <ProjectSkeletons />
      )}
      <p role="status" className={!list || found.length > 0 ? 'sr-only' : 'project-none'}>
        {list && (found.length > 0 ? count(found.length, 'project') : 'No project has this name.')}
      </p>
      {list && partnerId !== null && (
        <div className="project-foot">
          <button type="button" className="button" onClick={() => showCreateProject()}>
            <Plus />
            Create New Project
          </button>
        </div>
      )}
    </>
  )
}

function ProjectSkeletons() {
  return (
    <div className="project-entries" role="status">
      <span className="sr-only">Loading projects</span>
      {SKELETONS.map((width) => (
        <span key={width} className="project-entry">
          <Skeleton width={width} />
        </span>
      ))}
    </div>
  )
}
