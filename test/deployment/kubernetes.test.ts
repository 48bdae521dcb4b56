// Checks the manifests for Kubernetes: schemas, references, settings and alerts.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { readConfig } from '#server/config/settings.ts'
import { ROOT } from './image-files.ts'

const OPERATIONS = join(ROOT, '.github/operations')
const KUBERNETES = join(OPERATIONS, 'kubernetes')
const SCHEMAS: Record<string, string> = {
  'apps/v1': 'kubernetes-models/apps/v1',
  v1: 'kubernetes-models/v1',
  'policy/v1': 'kubernetes-models/policy/v1',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  'autoscaling/v2': 'kubernetes-models/autoscaling/v2',
  'gateway.networking.k8s.io/v1': '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'
}

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
}
interface Kustomization {
  resources?: string[]
  components?: string[]
  images?: { name: string }[]
  configMapGenerator?: { name: string; literals: string[] }[]
  secretGenerator?: { name: string; files: string[] }[]
  patches?: { target: { kind: string; name: string }; patch: string }[]
}

const SETTINGS = {
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'portal',
  OIDC_CLIENT_SECRET: 'secret',
  UPSTREAM_URL: 'https://api.example.com'
}

const paths = readdirSync(KUBERNETES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml'))
  .map((path) => join(KUBERNETES, path))
// The library reads YAML 1.1, as Kubernetes does: modes such as 0400 are octal.
const read = (path: string) => parse(readFileSync(path, 'utf8'), { version: '1.1' })
const isKustomization = (path: string) => path.endsWith('/kustomization.yaml')
const kustomizations = paths
  .filter(isKustomization)
  .map((path) => ({ path, ...(read(path) as Kustomization) }))
const manifests = paths.filter((path) => !isKustomization(path)).map((path) => read(path) as Manifest)
// biome-ignore lint/suspicious/noExplicitAny: the schemas check the shapes
const manifest = (kind: string, name = 'portal-gateway'): any =>
  manifests.find((candidate) => candidate.kind === kind && candidate.metadata.name === name)
const example = kustomizations.find(({ path }) => path.endsWith('/example/kustomization.yaml'))
const pod = manifest('Deployment').spec.template.spec
const [container] = pod.containers

t.test('each manifest follows the published schema of its kind', async (t) => {
  t.ok(manifests.length >= 8, `${manifests.length} manifests`)
  for (const document of manifests) {
    const { apiVersion, kind } = document
    const { [kind]: Model } = await import(`${SCHEMAS[apiVersion]}/${kind}`)
    t.doesNotThrow(() => new Model(document).validate(), `${apiVersion} ${kind}`)
  }
  const { Deployment } = await import('kubernetes-models/apps/v1/Deployment')
  const wrong = new Deployment({ ...manifest('Deployment'), spec: { replicas: 'two' } })
  t.throws(() => wrong.validate(), 'a wrong manifest is refused')
})

t.test('each file is part of a kustomization, and each file that one names exists', async (t) => {
  const namedPaths = kustomizations.flatMap(({ path, resources = [], components = [] }) =>
    [...resources, ...components].map((name) => {
      const target = join(dirname(path), name)
      return target.endsWith('.yaml') ? target : join(target, 'kustomization.yaml')
    })
  )
  const topPath = example?.path ?? ''
  const optional = ['autoscaling-by-streams', 'ingress', 'redis'].map((name) =>
    join(KUBERNETES, 'components', name, 'kustomization.yaml')
  )
  const namedOrOptional = [...namedPaths, ...optional, topPath]
  t.strictSame(namedOrOptional.sort(), [...paths].sort(), relative(ROOT, KUBERNETES))
})

t.test('names of ports, workloads, images, settings and secrets fit together', async (t) => {
  const { name } = manifest('Deployment').metadata
  const { labels } = manifest('Deployment').spec.template.metadata
  for (const kind of ['Deployment', 'PodDisruptionBudget', 'PodMonitor'])
    t.strictSame(manifest(kind).spec.selector.matchLabels, labels, kind)
  t.strictSame(manifest('Service').spec.selector, labels)
  t.strictSame(manifest('NetworkPolicy').spec.podSelector.matchLabels, labels)
  const portNames = container.ports.map((port: { name: string }) => port.name)
  const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe]
  for (const { httpGet } of probes) t.ok(portNames.includes(httpGet.port), httpGet.path)
  const [servicePort] = manifest('Service').spec.ports
  t.ok(portNames.includes(servicePort.targetPort))
  const { backendRefs } = manifest('HTTPRoute').spec.rules[0]
  t.strictSame(backendRefs, [{ name: manifest('Service').metadata.name, port: servicePort.port }])
  t.ok(portNames.includes(manifest('PodMonitor').spec.podMetricsEndpoints[0].port))
  for (const { ports } of manifest('NetworkPolicy').spec.ingress) t.ok(portNames.includes(ports[0].port))
  t.match(manifest('HorizontalPodAutoscaler').spec.scaleTargetRef, { kind: 'Deployment', name })
  const [rule] = manifest('Ingress').spec.rules
  const { service } = rule.http.paths[0].backend
  t.strictSame(service, { name: manifest('Service').metadata.name, port: { name: servicePort.name } })
  t.equal(pod.serviceAccountName, manifest('ServiceAccount').metadata.name)
  t.match(example?.images, [{ name: container.image, digest: /^sha256:[0-9a-f]{64}$/ }])
  t.match(example?.configMapGenerator, [container.envFrom[0].configMapRef])
  t.match(example?.secretGenerator, [{ name: pod.volumes[0].secret.secretName }])
  for (const { target } of kustomizations.flatMap(({ patches = [] }) => patches))
    t.equal(manifest(target.kind)?.metadata.name, target.name)
})

t.test(
  'the gateway starts with the settings of the example, and without any of them it does not',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-kubernetes-'))
    t.teardown(() => rmSync(folder, { recursive: true }))
    for (const file of example?.secretGenerator?.[0]?.files ?? [])
      writeFileSync(join(folder, file), 'x'.repeat(32))
    const literals = (example?.configMapGenerator?.[0]?.literals ?? []).map((line): [string, string] => {
      const at = line.indexOf('=')
      return [line.slice(0, at), line.slice(at + 1)]
    })
    const [{ mountPath }] = container.volumeMounts
    const secrets = container.env.map(({ name, value }: { name: string; value: string }) => [
      name,
      value.replace(mountPath, folder)
    ])
    const image = { NODE_ENV: 'production', HOST: '0.0.0.0', PORT: '3000', METRICS_PORT: '9464' }
    const settings = [...literals, ...secrets]
    t.doesNotThrow(() => readConfig({ ...image, ...Object.fromEntries(settings) }))
    for (const [left] of literals) {
      const rest = settings.filter(([name]) => name !== left)
      // PUBLIC_URL has a default, which production refuses or services of other hosts cannot reach.
      if (left !== 'PUBLIC_URL') t.throws(() => readConfig({ ...image, ...Object.fromEntries(rest) }), left)
    }
  }
)

t.test('a pod has time to finish its calls, and no right that it does not need', async (t) => {
  const { SHUTDOWN_DEADLINE_SECONDS } = readConfig(SETTINGS)
  t.ok(pod.terminationGracePeriodSeconds > SHUTDOWN_DEADLINE_SECONDS)
  t.match(pod, {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }
  })
  t.match(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] }
  })
  t.notHas(container.resources.limits, { cpu: /./ })
  t.equal(pod.volumes[0].secret.defaultMode, 0o400)
})

t.test('the namespace of the example refuses pods with further rights', async (t) => {
  const { labels } = manifest('Namespace', 'portal').metadata
  t.equal(labels['pod-security.kubernetes.io/enforce'], 'restricted')
  for (const workload of [manifest('Deployment'), manifest('StatefulSet', 'portal-redis')]) {
    const { securityContext, containers } = workload.spec.template.spec
    t.match(securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    t.match(containers[0].securityContext, {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] }
    })
  }
})

t.test('pods are ready without Redis, so that people see what the gateway says', async (t) => {
  t.equal(container.readinessProbe.httpGet.path, '/startedz')
})

t.test('the Redis of a component is the one of docker-compose.yml', async (t) => {
  const { redis } = read(join(ROOT, 'docker-compose.yml')).services
  const [pod] = manifest('StatefulSet', 'portal-redis').spec.template.spec.containers
  t.equal(pod.image, redis.image)
  t.strictSame(
    pod.command,
    redis.command.map((word: string) => word.replace('$$', '$'))
  )
  t.match(manifest('NetworkPolicy', 'portal-redis').spec.ingress, [
    { from: [{ podSelector: manifest('Deployment').spec.selector }] }
  ])
})

t.test('the scaler by streams reads a metric that the gateway has, below its limit', async (t) => {
  const scaling = kustomizations.find(({ path }) => path.includes('autoscaling-by-streams'))
  const [{ value }] = parse(scaling?.patches?.[0]?.patch ?? '')
  t.match(value.pods.metric, { name: 'gateway_live_streams' })
  const { LIVE_STREAMS } = readConfig(SETTINGS)
  t.equal(value.pods.target.averageValue, 0.7 * LIVE_STREAMS)
})

t.test('the example names every address that pods may call', async (t) => {
  const { egress } = manifest('NetworkPolicy').spec
  const narrowed = (example?.patches ?? [])
    .filter(({ target }) => target.kind === 'NetworkPolicy')
    .flatMap(({ patch }) => parse(patch))
    .map(({ path }) => path)
  const isDns = ({ ports }: { ports: { port: number }[] }) => ports.every(({ port }) => port === 53)
  const calling = egress.flatMap((rule: { ports: { port: number }[] }, index: number) =>
    isDns(rule) ? [] : [`/spec/egress/${index}/to`]
  )
  t.strictSame(narrowed, calling)
})

t.test('the alerts are those of alerts.yml', async (t) => {
  const { groups } = read(join(OPERATIONS, 'alerts.yml'))
  t.strictSame(manifest('PrometheusRule').spec.groups, groups)
})
