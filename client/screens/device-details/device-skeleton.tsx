import { Skeleton } from '../../components/skeleton.tsx'

export function DeviceSkeleton() {
  return (
    <div className="card device-skeleton" aria-busy="true">
      {['60%', '80%', '45%', '70%'].map((width, index) => (
        <Skeleton key={width} width={width} {...(index === 0 ? { label: 'Loading device' } : {})} />
      ))}
    </div>
  )
}
