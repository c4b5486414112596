// The fragment of a link: the policy and the event, compressed.

/** The most characters that a link may unpack to. */
const MOST = 1 << 20;
const PREFIX = "#v1=";

/**
 * The fragment for a policy and an event.
 * @param {{policy: string, event: string}} texts
 */
export async function fragment({ policy, event }) {
  const packed = new Blob([JSON.stringify([policy, event])]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of new Uint8Array(await new Response(packed).arrayBuffer())) text += String.fromCharCode(byte);
  return PREFIX + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * The policy and the event of a fragment; null if there is none.
 * @param {string} text
 * @returns {Promise<{policy: string, event: string} | null>}
 * @throws {Error} The fragment is damaged or too large.
 */
export async function texts(text) {
  if (text.length <= 1) return null;
  if (!text.startsWith(PREFIX)) throw new Error("the link is not one of this page");
  const bytes = Uint8Array.from(
    atob(text.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/")),
    (character) => character.charCodeAt(0),
  );
  const json = await unpack(bytes);
  const read = JSON.parse(json);
  if (!Array.isArray(read) || read.length !== 2 || !read.every((one) => typeof one === "string")) {
    throw new Error("the link has no policy and event");
  }
  return { policy: read[0], event: read[1] };
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function unpack(bytes) {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))
    .pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))
    .getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > MOST) {
      await reader.cancel();
      throw new Error("the link is too large");
    }
  }
}
