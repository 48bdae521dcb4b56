import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import type { ProjectList } from '#shared/entities.ts'
import { SearchField } from '../../components/search-field.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useCustomer } from '../../deeds/customer.ts'
import { showCreateProject } from '../../deeds/customer-scope.tsx'
import { count } from '../../lib/format.ts'
import { searchProjects, showsAllProjects } from '../../lib/project-search.ts'
import { Entry, ProjectRow } from './project-entry.tsx'
import type { ViewControl } from './use-device-view.ts'

interface ProjectEntriesProps {
  list: ProjectList | undefined
  control: ViewControl
  onChosen?: () => void
}

const SKELETONS = ['70%', '50%', '85%', '60%', '75%', '55%', '65%', '80%']

/** Search and choice of a project; the choice stands in the URL. */
export function ProjectEntries({ list, control, onChosen }: ProjectEntriesProps) {
  const customer = useCustomer()
  const [keyword, setKeyword] = useState('')
  const found = searchProjects(list?.projects ?? [], keyword)
  const link = (id: string | null) => ({
    to: control.searchFor(id),
    chosen: control.view.project === id,
    onChosen
  })
  return (
    <>
      <SearchField label="Search Project" value={keyword} debounceMs={0} onSearch={setKeyword} />
      {list ? (
        <ul className="project-entries">
          {showsAllProjects(found.length, keyword) && (
            <li>
              <Entry {...link(null)} name="All Projects" devices={list.totals.devices} />
            </li>
          )}
          {found.map((project) => (
            <ProjectRow key={project.id} project={project} {...link(project.id)} />
          ))}
        </ul>
      ) : (
        <ProjectSkeletons />
      )}
      <p role="status" className={!list || found.length > 0 ? 'sr-only' : 'project-none'}>
        {list && (found.length > 0 ? count(found.length, 'project') : 'No project has this name.')}
      </p>
      {list && customer.partnerId !== null && (
        <div className="project-foot">
          <button type="button" className="button" onClick={() => showCreateProject(customer)}>
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
