/** Build flavours that stand behind a version in Istio's image tags, and are the same version. */
const FLAVOURS = /-(distroless|debug)$/

/** Version from an image's tag (`registry:5000/proxyv2:1.30.1-distroless@sha256:…` is 1.30.1); none without a tag. */
export function imageVersion(image: string): string | undefined {
  const [name = ''] = image.split('@', 1)
  const last = name.slice(name.lastIndexOf('/') + 1)
  const colon = last.indexOf(':')
  const tag = colon === -1 ? '' : last.slice(colon + 1).replace(FLAVOURS, '')
  return tag === '' ? undefined : tag
}
