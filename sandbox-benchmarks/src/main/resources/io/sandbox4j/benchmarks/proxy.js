// A proxy as one writes it with Node alone: node proxy.js SOCKET PORT CREDENTIAL
const http = require('node:http');

const [socket, port, authorization] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true });

http.createServer((request, response) => {
	const upstream = http.request({
		agent,
		host: '127.0.0.1',
		port,
		method: request.method,
		path: request.url,
		headers: { ...request.headers, authorization },
	}, (answer) => {
		response.writeHead(answer.statusCode, answer.headers);
		answer.pipe(response);
	});
	upstream.on('error', () => response.destroy());
	request.pipe(upstream);
}).listen(socket);
