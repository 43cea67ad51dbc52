-- X*Y mod M, most significant bit first, n + 1 cycles; the reset is active high.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity modmul is
  generic (N : integer := 8);
  port (clk, rst, start : in std_logic;
        x, y, m : in unsigned(N-1 downto 0);
        done : out std_logic;
        r : out unsigned(N-1 downto 0));
end entity;

architecture rtl of modmul is
  signal xq, yq, mq, p : unsigned(N-1 downto 0);
  signal count : integer range 0 to N;
  signal s : unsigned(N+1 downto 0);
  signal choice : std_logic_vector(1 downto 0);
begin
  s <= ("0" & p & "0") + yq when xq(N-1) = '1' else "0" & p & "0";
  choice(1) <= '1' when s >= ("0" & mq & "0") else '0';
  choice(0) <= '1' when s >= mq else '0';
  r <= p;
  process (clk, rst) begin
    if rst = '1' then
      count <= 0;
      done <= '0';
    elsif rising_edge(clk) then
      done <= '0';
      if count = 0 then
        if start = '1' then
          xq <= x; yq <= y; mq <= m; p <= (others => '0'); count <= N;
        end if;
      else
        case choice is
          when "11" => p <= resize(s - ("0" & mq & "0"), N);
          when "01" => p <= resize(s - mq, N);
          when "00" => p <= s(N-1 downto 0);
          when others => p <= (others => '0');
        end case;
        xq <= xq(N-2 downto 0) & '0';
        count <= count - 1;
        if count = 1 then done <= '1'; end if;
      end if;
    end if;
  end process;
end architecture;
