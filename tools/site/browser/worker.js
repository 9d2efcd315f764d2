// Runs Python in a worker: the page stays quick while a searcher thinks.
const files = {}; // name -> Uint8Array
const types = { wasm: "application/wasm", mjs: "text/javascript", json: "application/json" };
const link = (name) => URL.createObjectURL(new Blob([files[name]], { type: types[name.split(".").pop()] ?? "application/zip" }));

const fetched = self.fetch;
self.fetch = (address, ...rest) => {
  const name = String(address.url ?? address).split("/").pop();
  return files[name] ? fetched(link(name)) : Promise.reject(new Error(`the page carries no ${name}`));
};

// Pyodide wants a worker that is a module; from a file a page may start none. What it misses is not needed here.
self.importScripts = () => { throw new Error("no scripts are imported"); };

async function unpack(packed) {
  await Promise.all(Object.entries(packed).map(async ([name, text]) => {
    const { body } = await fetched(`data:application/gzip;base64,${text}`);
    files[name] = new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  }));
}

async function start(packed) {
  await unpack(packed);
  const { loadPyodide } = await import(link("pyodide.mjs"));
  const { default: create } = await import(link("pyodide.asm.mjs"));
  const python = await loadPyodide({
    indexURL: "http://pyodide.invalid/",
    createPyodideModule: async (settings) => {
      const module = await create(settings);
      module._malloc(files.memory.length); // the memory grows to what is then copied over the whole of it
      return module;
    },
    _loadSnapshot: files.memory,
    stdLibURL: "http://pyodide.invalid/python_stdlib.zip",
    lockFileContents: JSON.parse(new TextDecoder().decode(files["pyodide-lock.json"])),
  });
  const table = python.pyimport("table");
  table.listen((values) => self.postMessage({ values: JSON.parse(values) }));
  self.postMessage({ games: JSON.parse(table.catalogue()) });
  // Memory does not include files: the first board needs none, everything after it may.
  addFiles = () => {
    addFiles = () => {};
    python.unpackArchive(files["python.zip"], "zip");
  };
  return table;
}

// The last line of a traceback is `ggp.errors.SomeError: the sentence`.
const sentence = (error) => error.message.trim().split("\n").pop().replace(/^[\w.]+: /, "");

let table;
let addFiles;
self.onmessage = async ({ data }) => {
  try {
    if (data.files) table = start(data.files);
    const python = await table;
    if (data.begin) {
      python.begin(...data.begin);
      setTimeout(addFiles);
    }
    if (data.request || data.plugin) addFiles();
    if (data.request) python.ask(JSON.stringify(data.request));
    if (data.plugin) {
      const added = JSON.parse(python.add(data.plugin));
      self.postMessage({ games: JSON.parse(python.catalogue()), chosen: added[0] });
    }
  } catch (error) {
    self.postMessage({ trouble: sentence(error) });
  }
};
