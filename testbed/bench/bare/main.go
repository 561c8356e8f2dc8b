// Command bare is the least that a short-lived client can do: connect, shake hands, say hello and call once
// in one go, print the answer. The benchmark sets a whole godot-mcp process beside it. It knows port and
// token beforehand and checks nothing, so it is a floor and no example.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: bare PORT TOKEN MESSAGE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
}

func run(port, token, message string) error {
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: %s\r\n\r\n", port, token)
	if err != nil {
		return err
	}
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusSwitchingProtocols {
		return fmt.Errorf("handshake refused: %s", resp.Status)
	}
	hello := `{"id":1,"command":"hello","params":{"client":"bare","version":"0","contract":0,"nonce":"0"}}`
	if _, err := conn.Write(append(frame(hello), frame(message)...)); err != nil {
		return err
	}
	if _, err := readFrame(r); err != nil {
		return err
	}
	answer, err := readFrame(r)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(append(answer, '\n'))
	return err
}

// frame is one masked text frame; a mask of zeros leaves the text as it is.
func frame(text string) []byte {
	head := []byte{0x81, 0x80 | byte(len(text))}
	if len(text) > 125 {
		head = binary.BigEndian.AppendUint16([]byte{0x81, 0x80 | 126}, uint16(len(text)))
	}
	return append(append(head, 0, 0, 0, 0), text...)
}

// readFrame reads one short frame of the editor, which does not mask.
func readFrame(r *bufio.Reader) ([]byte, error) {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	size := int(head[1])
	if size == 126 {
		var long [2]byte
		if _, err := io.ReadFull(r, long[:]); err != nil {
			return nil, err
		}
		size = int(binary.BigEndian.Uint16(long[:]))
	}
	text := make([]byte, size)
	_, err := io.ReadFull(r, text)
	return text, err
}
